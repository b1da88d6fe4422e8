-- In which country the regions of providers lie.
SELECT * FROM regions;
