-- Without these statistics the planner expects one in two hundred files to share the first digits of a hash, and reads all files instead of the
-- index. Those of the indexes are not used, because the indexes do not cover all files.
create statistics items_content_starts on (left(content_hash, 8)) from items;
create statistics items_quick_starts on (left(quick_hash, 8)) from items;
