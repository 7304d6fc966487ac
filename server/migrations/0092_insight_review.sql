-- Copies on agents are counted again: equal file numbers of two machines were taken for hard links.
insert into duplicate_changes select distinct m.prefix from duplicate_members m join all_libraries l on l.id = m.library_id
  where l.source_agent_id is not null and m.inode is not null;
