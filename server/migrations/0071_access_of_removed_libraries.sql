-- A library that is taken out leaves the rights that were remembered with it.
create constraint trigger libraries_removed_renew_access after update of removed_at on all_libraries
  deferrable initially deferred for each row execute function renew_access_generation();
