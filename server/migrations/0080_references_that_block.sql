-- A saved search or custom report that a rule or schedule uses cannot be deleted.
alter table alert_rules drop constraint alert_rules_saved_search_id_fkey,
  add constraint alert_rules_saved_search_id_fkey foreign key (saved_search_id) references saved_searches (id);
alter table report_schedules drop constraint report_schedules_report_definition_id_fkey,
  add constraint report_schedules_report_definition_id_fkey foreign key (report_definition_id) references custom_reports (id);
