-- Whether a scan has found a file and its copy is looked up in the complete scans of a library, of which there are few among all runs.
create index scan_runs_complete on scan_runs (library_id, finished_at)
  where status = 'finished' and scope = '' and recursive and trigger <> 'agent';
