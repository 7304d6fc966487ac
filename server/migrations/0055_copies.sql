-- Missing files with tags, notes or other entries of people, whose content may have come back elsewhere. The condition is that of
-- catalog/items, so that the planner recognizes it.
create index items_missing_annotated on items (id) where status = 'missing' and content_hash is not null
  and not (tags = '{}' and user_metadata = '{}' and user_title is null and user_year is null and user_external_ids = '{}');
-- Copies of a file without a content hash are found by quick hash, also among those that have a content hash. Eight digits keep the index
-- small, like that of content hashes.
create index items_quick_start on items (left(quick_hash, 8)) where quick_hash is not null;
