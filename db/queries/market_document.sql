-- Validators of one document, as long as it would be read in the same way.
SELECT d.etag, d.last_modified FROM feed_document AS d JOIN feed_state AS f ON f.feed = d.feed
WHERE d.feed = :feed AND d.url = :url AND f.reader = :reader;
