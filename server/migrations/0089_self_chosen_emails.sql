-- Whether the person entered the e-mail address of the account. A sign-in with a provider is not linked by such an address, because anybody can
-- enter that of somebody else. Addresses from before are taken to be those that an administrator entered.
alter table principals add column email_self_chosen boolean not null default false;
