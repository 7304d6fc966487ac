-- Who a key belongs to and what it may do is remembered by each process for as long as the access generation stays the same. So every change
-- of keys and of the accounts behind them renews it, in the same transaction. That a key was used is no such change.
create constraint trigger keys_renew_access after delete or update of key_hash, scopes, service_account_id, principal_id, libraries, path_scope, expires_at, name
  on api_keys deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger service_accounts_renew_access after delete or update of name, disabled
  on service_accounts deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger accounts_renew_access after delete or update of username, disabled
  on principals deferrable initially deferred for each row execute function renew_access_generation();
