-- All rows of ports.
SELECT * FROM ports;
