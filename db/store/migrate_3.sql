-- SPDX-License-Identifier: MIT
-- From version 3 to 4: weights kept as differences. A test compares the result with schema.sql, which has the views.

ALTER TABLE weights ADD COLUMN base_id INTEGER REFERENCES weights (weights_id);
ALTER TABLE weights ADD COLUMN difference BLOB CHECK ((difference IS NULL) = (base_id IS NULL));
