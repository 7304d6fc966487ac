-- A file may be moved to another library while it waits, so its library is that of the item.
alter table extract_unopened drop column library_id;
