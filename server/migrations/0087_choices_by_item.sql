-- Choices in sampled groups are looked up by file when files are proven.
create index duplicate_choices_sampled on duplicate_choices (item_id) where key like 'q%';
