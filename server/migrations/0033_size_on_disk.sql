-- Bytes on disk of a file that takes up less space than its size: it is sparse or compressed, or the placeholder of a file that is kept
-- elsewhere. Null for all other files, so that most rows and folder fingerprints stay as they are.
alter table items add column allocated bigint;
create index items_allocated on items ((size - allocated), id) where allocated is not null and status = 'active';
