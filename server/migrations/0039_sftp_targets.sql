-- Backups can be copied to servers with SFTP.
alter table backup_targets drop constraint backup_targets_kind_check;
alter table backup_targets add constraint backup_targets_kind_check check (kind in ('folder', 's3', 'sftp'));
