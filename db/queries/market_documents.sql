-- Every document of a feed's last accepted refresh, as long as it would be read in the same way.
SELECT d.url, d.etag, d.last_modified FROM feed_document AS d JOIN feed_state AS f ON f.feed = d.feed
WHERE d.feed = :feed AND f.reader = :reader ORDER BY d.url;
