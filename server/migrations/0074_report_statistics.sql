-- Without these statistics the planner expects most files to have such a name, or to be encrypted, and reads all of them instead of the
-- small index. It finds statistics only for a condition that is one call: `or` would be estimated part by part.
create or replace function is_unportable_name(filename text) returns boolean immutable parallel safe language sql
  return coalesce(translate(filename, '<>:"\|?*', '') <> filename or right(filename, 1) in ('.', ' ') or filename ~ '[\x01-\x1f\x7f]'
    or octet_length(filename) > 240
    or (lower(left(filename, 3)) in ('con', 'prn', 'aux', 'nul', 'com', 'lpt') and filename ~* '^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)'), false);
create statistics items_unportable_names on (is_unportable_name(filename)) from items;
create statistics items_encrypted_files on (is_encrypted(metadata)) from items;
