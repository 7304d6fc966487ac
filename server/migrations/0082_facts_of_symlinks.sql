-- A file that a symbolic link replaced kept what had been read from it.
with lost as (
  update items set metadata = '{}', title = null, year = null, body_text = null, archive_members = null, thumb_key = null, extracted_key = null
  where symlink_target is not null and extracted_key is not null
  returning id, old.metadata)
insert into item_history (item_id, source, actor, before, after)
select id, 'extractor', 'extractor', jsonb_build_object('metadata', metadata), '{"metadata": {}}' from lost where metadata <> '{}';
