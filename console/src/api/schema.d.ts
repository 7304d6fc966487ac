// Generated from the OpenAPI document by scripts/generate-api.mjs. Change the service, not this file.
export interface paths {
    "/api/v1/agent-commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List commands to agents, newest first */
        get: operations["getAgentCommands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agent-commands/{command_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a command and its result */
        get: operations["getAgentCommandsCommandId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agent-commands/{command_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a command, also while the agent works on it */
        post: operations["postAgentCommandsCommandIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agent-commands/{command_id}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an inventory found, one JSON object per line */
        get: operations["getAgentCommandsCommandIdInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents */
        get: operations["getAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent and its libraries */
        get: operations["getAgentsAgentId"];
        put?: never;
        post?: never;
        /** Revoke an agent, or remove it with purge=true */
        delete: operations["deleteAgentsAgentId"];
        options?: never;
        head?: never;
        /** Rename an agent */
        patch: operations["patchAgentsAgentId"];
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve an agent that waits for it */
        post: operations["postAgentsAgentIdApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/ca-ott": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue a new certificate token for the external authority */
        post: operations["postAgentsAgentIdCaOtt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/certificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bind the certificate of a registered agent, or have its key certified by the built-in authority */
        post: operations["postAgentsAgentIdCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/certificate/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renew the certificate of the built-in authority */
        post: operations["postAgentsAgentIdCertificateRenew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask an agent to scan again, to compare its index with the catalog, or to list its files */
        post: operations["postAgentsAgentIdCommands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/commands/{command_id}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report that a command is still being carried out */
        post: operations["postAgentsAgentIdCommandsCommandIdAck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/commands/{command_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report how a command ended */
        post: operations["postAgentsAgentIdCommandsCommandIdComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/commands/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Wait for commands */
        post: operations["postAgentsAgentIdCommandsPoll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/config-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set the groups of an agent */
        put: operations["putAgentsAgentIdConfigGroups"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/effective-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The configuration of an agent, and which group decided each value */
        get: operations["getAgentsAgentIdEffectiveConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report version and health of the calling agent */
        post: operations["postAgentsAgentIdHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/inventory-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store what an inventory found: NDJSON packed with gzip */
        post: operations["postAgentsAgentIdInventoryResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The configuration of the calling agent */
        get: operations["getAgentsAgentIdPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List reported changes that could not be applied, newest first */
        get: operations["getAgentsAgentIdQuarantine"];
        put?: never;
        post?: never;
        /** Empty the quarantine of an agent */
        delete: operations["deleteAgentsAgentIdQuarantine"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/reconcile/{session_id}/buckets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare the files of a large folder in buckets */
        post: operations["postAgentsAgentIdReconcileSessionIdBuckets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/reconcile/{session_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a comparison */
        post: operations["postAgentsAgentIdReconcileSessionIdFinish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/reconcile/{session_id}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare folders; the answer says which to list and which trees to enter */
        post: operations["postAgentsAgentIdReconcileSessionIdFolders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/reconcile/{session_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List all files of folders, or of some of their buckets, whose digests differ */
        post: operations["postAgentsAgentIdReconcileSessionIdRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/reconcile/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare the digest of a whole library */
        post: operations["postAgentsAgentIdReconcileStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/replication-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Apply changes of the files of an agent, as JSON or as NDJSON packed with gzip or zstd */
        post: operations["postAgentsAgentIdReplicationBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/staging": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin or continue an upload */
        post: operations["postAgentsAgentIdStaging"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/staging/{transfer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much of an upload has arrived */
        get: operations["getAgentsAgentIdStagingTransferId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Upload the next part of a file, at most 8 MiB */
        patch: operations["patchAgentsAgentIdStagingTransferId"];
        trace?: never;
    };
    "/api/v1/agents/config-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List configuration groups in the order in which they apply */
        get: operations["getAgentsConfigGroups"];
        put?: never;
        /** Create a configuration group */
        post: operations["postAgentsConfigGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/config-groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a configuration group */
        delete: operations["deleteAgentsConfigGroupsGroupId"];
        options?: never;
        head?: never;
        /** Change a configuration group; a policy replaces the one before */
        patch: operations["patchAgentsConfigGroupsGroupId"];
        trace?: never;
    };
    "/api/v1/agents/config-groups/{group_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a configuration group, newest first */
        get: operations["getAgentsConfigGroupsGroupIdHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/config-groups/{group_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a policy would change, and for which agents; nothing is changed */
        post: operations["postAgentsConfigGroupsGroupIdPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/config-groups/{group_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish the policy of an earlier version as a new version */
        post: operations["postAgentsConfigGroupsGroupIdRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/enrollment-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List enrolment tokens, newest first */
        get: operations["getAgentsEnrollmentTokens"];
        put?: never;
        /** Issue a single-use enrolment token */
        post: operations["postAgentsEnrollmentTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/enrollment-tokens/{token_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an enrolment token */
        delete: operations["deleteAgentsEnrollmentTokensTokenHash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register a machine with an enrolment token */
        post: operations["postAgentsRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count agents by state */
        get: operations["getAgentsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alert channels */
        get: operations["getAlertChannels"];
        put?: never;
        /** Create an alert channel */
        post: operations["postAlertChannels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an alert channel */
        get: operations["getAlertChannelsChannelId"];
        put?: never;
        post?: never;
        /** Delete an alert channel */
        delete: operations["deleteAlertChannelsChannelId"];
        options?: never;
        head?: never;
        /** Update an alert channel */
        patch: operations["patchAlertChannelsChannelId"];
        trace?: never;
    };
    "/api/v1/alert-channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message, optionally with values that are not saved */
        post: operations["postAlertChannelsChannelIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-channels/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message through a channel that is not saved */
        post: operations["postAlertChannelsTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alert events about what you may see, newest first */
        get: operations["getAlertEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-events/{event_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send failed messages about an event again */
        post: operations["postAlertEventsEventIdResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-events/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count alert events by status */
        get: operations["getAlertEventsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alert rules */
        get: operations["getAlertRules"];
        put?: never;
        /** Create an alert rule */
        post: operations["postAlertRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-rules/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an alert rule */
        get: operations["getAlertRulesRuleId"];
        put?: never;
        post?: never;
        /** Delete an alert rule and its alerts */
        delete: operations["deleteAlertRulesRuleId"];
        options?: never;
        head?: never;
        /** Update an alert rule */
        patch: operations["patchAlertRulesRuleId"];
        trace?: never;
    };
    "/api/v1/alert-rules/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change several alert rules */
        post: operations["postAlertRulesBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test a rule against the past */
        post: operations["postAlertRulesPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List silences and quiet hours */
        get: operations["getAlertSilences"];
        put?: never;
        /** Silence alerts until a time, or daily */
        post: operations["postAlertSilences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-silences/{silence_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a silence */
        delete: operations["deleteAlertSilencesSilenceId"];
        options?: never;
        head?: never;
        /** Change a silence or quiet hours */
        patch: operations["patchAlertSilencesSilenceId"];
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alerts that fire or have fired */
        get: operations["getAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledge an alert, which stops its reminders */
        post: operations["postAlertsAlertIdAcknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the failed messages of an alert again */
        post: operations["postAlertsAlertIdResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["getApiKeys"];
        put?: never;
        /** Create an API key, which is returned only once */
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["deleteApiKeysKeyId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List scopes an API key can have */
        get: operations["getApiKeysScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List audit events, newest first */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-config/directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the directory configuration and the source of each value */
        get: operations["getAuthConfigDirectory"];
        /**
         * Save values of the directory configuration
         * @description A saved value overrides the environment; null removes it. A change that would lock people out is refused with `would_lock_out` unless `confirm` is true.
         */
        put: operations["putAuthConfigDirectory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-config/ldap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the ldap configuration and the source of each value */
        get: operations["getAuthConfigLdap"];
        /**
         * Save values of the ldap configuration
         * @description A saved value overrides the environment; null removes it. A change that would lock people out is refused with `would_lock_out` unless `confirm` is true.
         */
        put: operations["putAuthConfigLdap"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-config/ldap/fetch-cert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetch the certificates of a directory server without saving anything */
        post: operations["postAuthConfigLdapFetchCert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-config/ldap/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test unsaved values of the ldap configuration */
        post: operations["postAuthConfigLdapTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-config/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the oidc configuration and the source of each value */
        get: operations["getAuthConfigOidc"];
        /**
         * Save values of the oidc configuration
         * @description A saved value overrides the environment; null removes it. A change that would lock people out is refused with `would_lock_out` unless `confirm` is true.
         */
        put: operations["putAuthConfigOidc"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth-config/oidc/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test unsaved values of the oidc configuration */
        post: operations["postAuthConfigOidcTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the first administrator */
        post: operations["postAuthBootstrap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/header": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in as the person whom an authenticating proxy names */
        post: operations["postAuthHeader"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your linked identities */
        get: operations["getAuthIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disconnect an identity */
        delete: operations["deleteAuthIdentitiesIdentityId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite a person by link */
        post: operations["postAuthInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invitations/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whom an invitation is for */
        get: operations["getAuthInvitationsToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a password with an invitation, and sign in */
        post: operations["postAuthInvitationsAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["postAuthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["postAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your account */
        get: operations["getAuthMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update your profile */
        patch: operations["patchAuthMe"];
        trace?: never;
    };
    "/api/v1/auth/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace your console preferences */
        put: operations["putAuthMePreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me/session-timeouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how long your sessions last */
        get: operations["getAuthMeSessionTimeouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oidc/backchannel-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End sessions because their provider ended them */
        post: operations["postAuthOidcBackchannelLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Complete a sign-in with an OpenID provider */
        get: operations["getAuthOidcCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oidc/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start connecting your account with an OpenID provider */
        post: operations["postAuthOidcConnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Start a sign-in with an OpenID provider */
        get: operations["getAuthOidcLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oidc/logout-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the page that also signs you out at your provider */
        get: operations["getAuthOidcLogoutUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a passkey */
        post: operations["postAuthPasskeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a passkey */
        delete: operations["deleteAuthPasskeysPasskeyId"];
        options?: never;
        head?: never;
        /** Rename a passkey */
        patch: operations["patchAuthPasskeysPasskeyId"];
        trace?: never;
    };
    "/api/v1/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start adding a passkey */
        post: operations["postAuthPasskeysOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["postAuthPasskeysSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/sign-in/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a sign-in with a passkey */
        post: operations["postAuthPasskeysSignInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Ends your other sessions. Your API keys stay valid unless `revoke_api_keys` is true.
         */
        post: operations["postAuthPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace your recovery codes */
        post: operations["postAuthRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your second factors and passkeys */
        get: operations["getAuthSecondFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["getAuthSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["deleteAuthSessionsSessionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/revoke-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all your other sessions */
        post: operations["postAuthSessionsRevokeAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/settings/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how long sessions last */
        get: operations["getAuthSettingsSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change how long sessions last
         * @description Applies at once, also to open sessions. Limits of a role or an account win.
         */
        patch: operations["patchAuthSettingsSession"];
        trace?: never;
    };
    "/api/v1/auth/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sign-ins */
        get: operations["getAuthSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether to sign in, set up, or neither */
        get: operations["getAuthStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start the set-up of an authenticator app */
        post: operations["postAuthTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finish the set-up of an authenticator app; returns recovery codes once */
        post: operations["postAuthTotpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove your authenticator app */
        post: operations["postAuthTotpRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts */
        get: operations["getAuthUsers"];
        put?: never;
        /** Create an account */
        post: operations["postAuthUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/users/{principal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an account */
        delete: operations["deleteAuthUsersPrincipalId"];
        options?: never;
        head?: never;
        /** Update an account */
        patch: operations["patchAuthUsersPrincipalId"];
        trace?: never;
    };
    "/api/v1/auth/users/{principal_id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a new link for an invited person */
        post: operations["postAuthUsersPrincipalIdInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/users/{principal_id}/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove the second factors and passkeys of an account */
        delete: operations["deleteAuthUsersPrincipalIdSecondFactors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/users/{principal_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions of an account */
        get: operations["getAuthUsersPrincipalIdSessions"];
        put?: never;
        post?: never;
        /** End all sessions of an account */
        delete: operations["deleteAuthUsersPrincipalIdSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/users/{principal_id}/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sign-ins of an account */
        get: operations["getAuthUsersPrincipalIdSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List custom fields */
        get: operations["getCustomFields"];
        put?: never;
        /** Create a custom field */
        post: operations["postCustomFields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-fields/{field_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a custom field (entered values are kept) */
        delete: operations["deleteCustomFieldsFieldId"];
        options?: never;
        head?: never;
        /** Update a custom field */
        patch: operations["patchCustomFieldsFieldId"];
        trace?: never;
    };
    "/api/v1/custom-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your custom reports and those shared by others */
        get: operations["getCustomReports"];
        put?: never;
        /** Create a custom report */
        post: operations["postCustomReports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-reports/{report_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a custom report */
        get: operations["getCustomReportsReportId"];
        put?: never;
        post?: never;
        /** Delete a custom report */
        delete: operations["deleteCustomReportsReportId"];
        options?: never;
        head?: never;
        /** Change a custom report */
        patch: operations["patchCustomReportsReportId"];
        trace?: never;
    };
    "/api/v1/custom-reports/{report_id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a custom report */
        post: operations["postCustomReportsReportIdCopy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-reports/{report_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export a custom report in the background */
        post: operations["postCustomReportsReportIdExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-reports/{report_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Run a custom report */
        get: operations["getCustomReportsReportIdRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-reports/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the columns a custom report can have */
        get: operations["getCustomReportsColumns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-reports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show the first rows of a definition that is not saved */
        post: operations["postCustomReportsPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/custom-reports/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a definition */
        post: operations["postCustomReportsValidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, groups and computers of the directories */
        get: operations["getDirectoryObjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the status of directory sync */
        get: operations["getDirectoryStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directory/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read the directories now */
        post: operations["postDirectorySync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups of duplicate files with what your plan keeps, most waste first */
        get: operations["getDuplicatesGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/groups/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the copies of a group with what your plan does to each */
        get: operations["getDuplicatesGroupsKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/groups/{key}/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Keep this copy of a group, whatever the rules say */
        put: operations["putDuplicatesGroupsKeyKeep"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your cleanup plan for duplicate files
         * @description The service never deletes. A plan says which copies are kept; a script or list is for people to run themselves.
         */
        get: operations["getDuplicatesPlan"];
        /**
         * Change the rules of your cleanup plan
         * @description The first rule that distinguishes the copies of a group decides it.
         */
        put: operations["putDuplicatesPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/plan/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export your plan as a list in the background */
        post: operations["postDuplicatesPlanExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/plan/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download your plan as a list */
        get: operations["getDuplicatesPlanList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/plan/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm that you have reviewed your cleanup plan */
        post: operations["postDuplicatesPlanReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/prove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read sampled copies in full to prove that they are equal */
        post: operations["postDuplicatesProve"];
        /** Stop reading sampled copies */
        delete: operations["deleteDuplicatesProve"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a shell script that carries out your reviewed plan
         * @description It moves files to a holding folder after it has compared each with its kept copy, and can undo that. Sampled copies and similar photos are not part of it.
         */
        get: operations["getDuplicatesScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/duplicates/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare photos by how they look
         * @description Reads photos that were not compared before. The groups appear as tier similar and are never part of a script.
         */
        post: operations["postDuplicatesSimilar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your exports, newest first
         * @description Administrators see those of everybody.
         */
        get: operations["getExports"];
        put?: never;
        /** Export search results or a folder in the background */
        post: operations["postExports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an export */
        get: operations["getExportsExportId"];
        put?: never;
        post?: never;
        /** Remove the file of an export */
        delete: operations["deleteExportsExportId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{export_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a waiting or running export */
        post: operations["postExportsExportIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{export_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the file of an export */
        get: operations["getExportsExportIdDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fs/browse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List folders of this machine below the allowed roots */
        get: operations["getFsBrowse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fs/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count files below a folder and those each built-in preset would exclude
         * @description Counts for up to five seconds; when `complete` is false, the numbers are lower bounds. `left_out` counts every file once, with all presets that match it, and with `tagged_cache` for folders that are marked as a cache.
         */
        get: operations["getFsCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how much of each library was read again, and when */
        get: operations["getIntegrity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrity/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List files whose content changed without being written, newest first */
        get: operations["getIntegrityEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrity/events/{event_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept the content found as the right one */
        post: operations["postIntegrityEventsEventIdAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrity/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Switch the re-reading of stored files on or off and set its budget */
        put: operations["putIntegritySettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List items by library and path (only active ones by default) */
        get: operations["getItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an item */
        get: operations["getItemsItemId"];
        put?: never;
        post?: never;
        /** Move an item to the recycle bin (the file on disk is kept) */
        delete: operations["deleteItemsItemId"];
        options?: never;
        head?: never;
        /** Update tags, notes, title, year and identifiers of an item */
        patch: operations["patchItemsItemId"];
        trace?: never;
    };
    "/api/v1/items/{item_id}/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach the tags and notes of a missing item to a file with the same contents */
        post: operations["postItemsItemIdAttach"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/copies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List other items with the same content */
        get: operations["getItemsItemIdCopies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/digests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get digests of a file (cached ones are reused) */
        post: operations["postItemsItemIdDigests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the file of an item (supports ranges) */
        get: operations["getItemsItemIdFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the changes of an item, newest first */
        get: operations["getItemsItemIdHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/pages/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of a PDF as a picture (WebP)
         * @description Drawn on demand and cached. The metadata key `pages` has the number of pages.
         */
        get: operations["getItemsItemIdPagesPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/pages/{page}/words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the words of a PDF page with their positions
         * @description Positions are fractions of the drawn page, from its top left. Empty for a page without text.
         */
        get: operations["getItemsItemIdPagesPageWords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/passages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passages of a file
         * @description Needs the right `search_content`.
         */
        get: operations["getItemsItemIdPassages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get who can read and change the file on disk, and since when */
        get: operations["getItemsItemIdPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/permissions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check what one person or group can do with the file on disk */
        get: operations["getItemsItemIdPermissionsCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore an item from the recycle bin */
        post: operations["postItemsItemIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List similar items */
        get: operations["getItemsItemIdSimilar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the text of a file */
        get: operations["getItemsItemIdText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/thumb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the thumbnail of an item (WebP)
         * @description Thumbnails of documents and other items with pages need the right `search_content`.
         */
        get: operations["getItemsItemIdThumb"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/touch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record that an item was opened */
        post: operations["postItemsItemIdTouch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetch a file from the machine of an agent */
        post: operations["postItemsItemIdTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}/turntable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get views of a 3D model from all sides (WebP)
         * @description 24 views, 15 degrees apart, in 6 columns and 4 rows of tiles of 320 × 320 pixels, row by row.
         */
        get: operations["getItemsItemIdTurntable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Download several files as a ZIP archive
         * @description The body is JSON, or a form whose field item_ids has the ids separated by commas. Files that cannot be read are named in "Not included.txt".
         */
        post: operations["postItemsArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/archive/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** See which files an archive would contain, and its size */
        post: operations["postItemsArchivePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Update up to 500 items, each independently */
        post: operations["postItemsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/copy-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the number of copies of each item */
        post: operations["postItemsCopyCounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/unattached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List missing items with tags or notes whose contents are in other files */
        get: operations["getItemsUnattached"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List libraries with their newest scan */
        get: operations["getLibraries"];
        put?: never;
        /** Create a library */
        post: operations["postLibraries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a library */
        get: operations["getLibrariesLibraryId"];
        put?: never;
        post?: never;
        /** Delete a library (files on disk are kept) */
        delete: operations["deleteLibrariesLibraryId"];
        options?: never;
        head?: never;
        /** Update a library */
        patch: operations["patchLibrariesLibraryId"];
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/diagnose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Diagnose a library */
        get: operations["getLibrariesLibraryIdDiagnose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List items whose extraction failed */
        get: operations["getLibrariesLibraryIdErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain why a path is in the catalog or not */
        get: operations["getLibrariesLibraryIdExplain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the files of a folder as a list */
        get: operations["getLibrariesLibraryIdExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/rehash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start rehashing items with outdated hashes */
        post: operations["postLibrariesLibraryIdRehash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/retry-extracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry failed extractions of a library */
        post: operations["postLibrariesLibraryIdRetryExtracts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a scan of a library */
        post: operations["postLibrariesLibraryIdScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/scan-paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List folders with their own schedule */
        get: operations["getLibrariesLibraryIdScanPaths"];
        put?: never;
        /** Create a schedule for a folder */
        post: operations["postLibrariesLibraryIdScanPaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/scan-paths/{scan_path_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete the schedule of a folder */
        delete: operations["deleteLibrariesLibraryIdScanPathsScanPathId"];
        options?: never;
        head?: never;
        /** Update the schedule of a folder */
        patch: operations["patchLibrariesLibraryIdScanPathsScanPathId"];
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/scan/targeted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a scan of one folder or file */
        post: operations["postLibrariesLibraryIdScanTargeted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/{library_id}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one level of folders and items */
        get: operations["getLibrariesLibraryIdTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/libraries/hash-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the number of items with outdated hashes per library */
        get: operations["getLibrariesHashStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the metadata fields of each category */
        get: operations["getMetadataProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metadata-profiles/{file_category}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the metadata fields of a category */
        get: operations["getMetadataProfilesFileCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/permissions/readable-folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List folders with the number of files that a person or group can read or change on disk */
        get: operations["getPermissionsReadableFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List exclusion presets */
        get: operations["getPresets"];
        put?: never;
        /** Create a preset */
        post: operations["postPresets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a preset */
        get: operations["getPresetsName"];
        put?: never;
        post?: never;
        /** Delete a custom preset that no library uses */
        delete: operations["deletePresetsName"];
        options?: never;
        head?: never;
        /** Update a custom preset (takes effect with the next scan) */
        patch: operations["patchPresetsName"];
        trace?: never;
    };
    "/api/v1/presets/{name}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a copy of a preset */
        post: operations["postPresetsNameFork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/principal-aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List names of identifiers; those given by hand first */
        get: operations["getPrincipalAliases"];
        /**
         * Name identifiers by hand
         * @description Identifiers that a directory names are skipped unless `force` is true; the name given by hand then wins.
         */
        put: operations["putPrincipalAliases"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/principal-aliases/{alias}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a name given by hand */
        delete: operations["deletePrincipalAliasesAlias"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/query/assist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Translate plain words into a query */
        post: operations["postQueryAssist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/query/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the filters a query can use */
        get: operations["getQueryKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/query/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a query */
        post: operations["postQueryPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List actions a grant can name */
        get: operations["getRbacActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List grants */
        get: operations["getRbacGrants"];
        put?: never;
        /** Create a grant that allows or denies an action below a folder */
        post: operations["postRbacGrants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a grant */
        delete: operations["deleteRbacGrantsGrantId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups */
        get: operations["getRbacGroups"];
        put?: never;
        /** Create a group */
        post: operations["postRbacGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a group and its grants */
        delete: operations["deleteRbacGroupsGroupId"];
        options?: never;
        head?: never;
        /** Update a group */
        patch: operations["patchRbacGroupsGroupId"];
        trace?: never;
    };
    "/api/v1/rbac/groups/{group_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members of a group */
        get: operations["getRbacGroupsGroupIdMembers"];
        put?: never;
        /** Add a member to a group */
        post: operations["postRbacGroupsGroupIdMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/groups/{group_id}/members/{principal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member from a group */
        delete: operations["deleteRbacGroupsGroupIdMembersPrincipalId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/people/{principal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what a person may do, and where each right comes from */
        get: operations["getRbacPeoplePrincipalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain whether a person may do something at a path */
        get: operations["getRbacPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List roles */
        get: operations["getRbacRoles"];
        put?: never;
        /** Create a role */
        post: operations["postRbacRoles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rbac/roles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a custom role */
        delete: operations["deleteRbacRolesName"];
        options?: never;
        head?: never;
        /** Update a custom role */
        patch: operations["patchRbacRolesName"];
        trace?: never;
    };
    "/api/v1/rbac/roles/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare roles */
        get: operations["getRbacRolesCompare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-pins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the reports on your start page */
        get: operations["getReportPins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-pins/{report_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pin a report to your start page
         * @description At most 6 reports are pinned; the oldest pin makes room.
         */
        put: operations["putReportPinsReportId"];
        post?: never;
        /** Take a report off your start page */
        delete: operations["deleteReportPinsReportId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your report schedules */
        get: operations["getReportSchedules"];
        put?: never;
        /**
         * Create a report schedule
         * @description It runs with the rights that its owner has at that time. The report, its filters and the channels are checked now.
         */
        post: operations["postReportSchedules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a report schedule */
        get: operations["getReportSchedulesScheduleId"];
        put?: never;
        post?: never;
        /** Delete a report schedule and its history */
        delete: operations["deleteReportSchedulesScheduleId"];
        options?: never;
        head?: never;
        /** Change a report schedule */
        patch: operations["patchReportSchedulesScheduleId"];
        trace?: never;
    };
    "/api/v1/report-schedules/{schedule_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a report schedule now */
        post: operations["postReportSchedulesScheduleIdRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules/{schedule_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of a report schedule, newest first */
        get: operations["getReportSchedulesScheduleIdRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the names of the alert channels that can deliver reports */
        get: operations["getReportSchedulesChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the next times of a cron expression */
        get: operations["getReportSchedulesNext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the reports */
        get: operations["getReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run a report
         * @description Returns a page of rows as JSON, or the whole report as a file. Files need the right to download and contain only rows that the caller may download.
         */
        get: operations["getReportsReportId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export a report in the background */
        post: operations["postReportsReportIdExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/folder-tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one level of folder totals */
        get: operations["getReportsFolderTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your saved searches and those shared by others */
        get: operations["getSavedSearches"];
        put?: never;
        /** Save a search */
        post: operations["postSavedSearches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-searches/{search_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a saved search */
        get: operations["getSavedSearchesSearchId"];
        put?: never;
        post?: never;
        /** Delete a saved search */
        delete: operations["deleteSavedSearchesSearchId"];
        options?: never;
        head?: never;
        /** Update a saved search */
        patch: operations["patchSavedSearchesSearchId"];
        trace?: never;
    };
    "/api/v1/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List scans, newest first */
        get: operations["getScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a scan */
        get: operations["getScansScanId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a scan (files found so far are kept) */
        post: operations["postScansScanIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}/diff/{other_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the changes between two scans of a library */
        get: operations["getScansScanIdDiffOtherId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the progress of a scan
         * @description Sends `progress` events, then `done` or `error`. While extraction continues after the scan, `stages` events follow.
         */
        get: operations["getScansScanIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}/events-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token that opens the progress of this scan once
         * @description For clients that can send neither a header nor a cookie. Pass it as `stream_token`.
         */
        post: operations["postScansScanIdEventsToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}/force-clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Force-clear a scan whose worker no longer responds */
        post: operations["postScansScanIdForceClear"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{scan_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a scan (files found so far are kept) */
        post: operations["postScansScanIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search items */
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the results of a search as a file */
        get: operations["getSearchExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/federated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search items and passages together */
        get: operations["getSearchFederated"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/passages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search passages, grouped by file
         * @description Finds passages of active files in libraries with passage search, where the caller may read content.
         */
        get: operations["getSearchPassages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/principals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List permission principals by prefix with counts */
        get: operations["getSearchPrincipals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tags by prefix with counts */
        get: operations["getSearchTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the hits of a search by month */
        get: operations["getSearchTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List service accounts */
        get: operations["getServiceAccounts"];
        put?: never;
        /** Create a service account */
        post: operations["postServiceAccounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a service account and its keys */
        delete: operations["deleteServiceAccountsAccountId"];
        options?: never;
        head?: never;
        /** Update a service account */
        patch: operations["patchServiceAccountsAccountId"];
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the dashboard numbers */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/libraries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get file counts and sizes of each library */
        get: operations["getStatsLibraries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count files by modification date */
        get: operations["getStatsTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get versions of the service, its packages, services and tools */
        get: operations["getSystemAbout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Back up the database */
        post: operations["postSystemBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backup-targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List targets for copies of backups */
        get: operations["getSystemBackupTargets"];
        put?: never;
        /** Add a target for copies of backups */
        post: operations["postSystemBackupTargets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backup-targets/{target_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a target; its files stay there */
        delete: operations["deleteSystemBackupTargetsTargetId"];
        options?: never;
        head?: never;
        /** Change a target for copies of backups */
        patch: operations["patchSystemBackupTargetsTargetId"];
        trace?: never;
    };
    "/api/v1/system/backup-targets/{target_id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy backups to a target now, also those that failed */
        post: operations["postSystemBackupTargetsTargetIdCopy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backup-targets/{target_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a test file to a target and remove it */
        post: operations["postSystemBackupTargetsTargetIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List backups, newest first */
        get: operations["getSystemBackups"];
        put?: never;
        /** Add a backup that was downloaded before (a tar file) */
        post: operations["postSystemBackups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backups/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a whole backup as a tar file, which `catalog restore` accepts */
        get: operations["getSystemBackupsName"];
        put?: never;
        post?: never;
        /** Delete a backup */
        delete: operations["deleteSystemBackupsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/backups/{name}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a backup by restoring it into a temporary database */
        post: operations["postSystemBackupsNameVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/disk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get free disk space and its status */
        get: operations["getSystemDisk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/embed-backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Embed all items that have no vector yet */
        post: operations["postSystemEmbedBackfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of embeddings */
        get: operations["getSystemEmbeddings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/embeddings/paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Pause or continue the embedding of items */
        put: operations["putSystemEmbeddingsPaused"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List optional features and whether they are on */
        get: operations["getSystemFeatures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/file-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the built-in file groups */
        get: operations["getSystemFileGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List jobs, newest first */
        get: operations["getSystemJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a job */
        get: operations["getSystemJobsJobId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/{job_id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a job */
        post: operations["postSystemJobsJobIdAbort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/{job_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a failed job */
        post: operations["postSystemJobsJobIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/clear-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete failed jobs */
        post: operations["postSystemJobsClearFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/priority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the priority of the waiting jobs of a queue
         * @description Jobs with a higher priority start first. Jobs that are queued later get the usual priority of their queue.
         */
        post: operations["postSystemJobsPriority"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/reap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Run the reaper now */
        get: operations["getSystemJobsReap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List running jobs */
        get: operations["getSystemJobsRunning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/jobs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get counts per queue and state, running and recently failed jobs, and workers */
        get: operations["getSystemJobsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List log records of app and worker, newest first */
        get: operations["getSystemLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List maintenance tasks */
        get: operations["getSystemMaintenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/maintenance-mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether the service is in maintenance mode */
        get: operations["getSystemMaintenanceMode"];
        put?: never;
        /** Enter or leave maintenance mode */
        post: operations["postSystemMaintenanceMode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/maintenance/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a maintenance task */
        get: operations["getSystemMaintenanceTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Reschedule, disable or reset a maintenance task */
        patch: operations["patchSystemMaintenanceTask"];
        trace?: never;
    };
    "/api/v1/system/maintenance/{task}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a maintenance task now */
        post: operations["postSystemMaintenanceTaskRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/rebuild-index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rebuild the search index while searches continue */
        post: operations["postSystemRebuildIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/reclassify-extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start reclassifying all items */
        post: operations["postSystemReclassifyExtensions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/retry-extracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry all failed extractions */
        post: operations["postSystemRetryExtracts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/share-map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List folders with their network addresses */
        get: operations["getSystemShareMap"];
        /** Replace the share map */
        put: operations["putSystemShareMap"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/share-map/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** See which address each library would get */
        post: operations["postSystemShareMapPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/update-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the result of the last check for a newer version */
        get: operations["getSystemUpdateCheck"];
        put?: never;
        /** Check for a newer version now */
        post: operations["postSystemUpdateCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the taxonomy as a tree */
        get: operations["getTaxonomy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomy/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a category */
        post: operations["postTaxonomyCategories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomy/categories/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an empty category */
        delete: operations["deleteTaxonomyCategoriesKey"];
        options?: never;
        head?: never;
        /** Update a category */
        patch: operations["patchTaxonomyCategoriesKey"];
        trace?: never;
    };
    "/api/v1/taxonomy/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a group */
        post: operations["postTaxonomyGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomy/groups/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an empty group */
        delete: operations["deleteTaxonomyGroupsKey"];
        options?: never;
        head?: never;
        /** Update a group or move it to another category */
        patch: operations["patchTaxonomyGroupsKey"];
        trace?: never;
    };
    "/api/v1/taxonomy/groups/{key}/extensions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add an extension to a group, or move it from another group */
        post: operations["postTaxonomyGroupsKeyExtensions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomy/groups/{key}/extensions/{ext}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an extension from a group */
        delete: operations["deleteTaxonomyGroupsKeyExtensionsExt"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomy/sync-seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore deleted built-in categories, groups and extensions */
        post: operations["postTaxonomySyncSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transfers/{transfer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of a transfer */
        get: operations["getTransfersTransferId"];
        put?: never;
        post?: never;
        /** Cancel a transfer and remove its file */
        delete: operations["deleteTransfersTransferId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transfers/{transfer_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the file of a transfer, also while it arrives (supports ranges) */
        get: operations["getTransfersTransferIdDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the running version and the location of its source */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAgentCommands: {
        parameters: {
            query?: {
                agent_id?: string;
                /** @description Only commands older than this one. */
                before?: string;
                kind?: "rescan" | "inventory" | "reconcile" | "stage_upload";
                limit?: number;
                state?: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentCommandsCommandId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentCommandsCommandIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentCommandsCommandIdInventory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgents: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description Part of the name or host name. */
                q?: string;
                status?: "pending" | "active" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            agent_version: string | null;
                            /** @description False while the enrolment waits for an administrator. */
                            approved: boolean;
                            capabilities: {
                                [key: string]: unknown;
                            } | null;
                            capabilities_at: string | null;
                            cert_fingerprint: string | null;
                            cert_not_after: string | null;
                            config_generation_applied: number | null;
                            config_group_ids: string[];
                            /** Format: date-time */
                            created_at: string;
                            health: {
                                [key: string]: unknown;
                            } | null;
                            health_at: string | null;
                            hostname: string;
                            /** Format: uuid */
                            id: string;
                            last_address: string | null;
                            last_auth_mode: string | null;
                            last_batch_at: string | null;
                            last_contiguous_seq_no: number;
                            last_reconcile_at: string | null;
                            last_seen_at: string | null;
                            name: string;
                            platform: string;
                            revoked_at: string | null;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "revoked";
                        }[];
                        limit: number;
                        offset: number;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsAgentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_version: string | null;
                        /** @description False while the enrolment waits for an administrator. */
                        approved: boolean;
                        capabilities: {
                            [key: string]: unknown;
                        } | null;
                        capabilities_at: string | null;
                        cert_fingerprint: string | null;
                        cert_not_after: string | null;
                        config_generation_applied: number | null;
                        config_group_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        health: {
                            [key: string]: unknown;
                        } | null;
                        health_at: string | null;
                        hostname: string;
                        /** Format: uuid */
                        id: string;
                        last_address: string | null;
                        last_auth_mode: string | null;
                        last_batch_at: string | null;
                        last_contiguous_seq_no: number;
                        last_reconcile_at: string | null;
                        last_seen_at: string | null;
                        libraries: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            root_path: string;
                        }[];
                        name: string;
                        platform: string;
                        revoked_at: string | null;
                        /** @enum {unknown} */
                        status: "pending" | "active" | "revoked";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAgentsAgentId: {
        parameters: {
            query?: {
                delete_libraries?: boolean;
                purge?: boolean;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_version: string | null;
                        /** @description False while the enrolment waits for an administrator. */
                        approved: boolean;
                        capabilities: {
                            [key: string]: unknown;
                        } | null;
                        capabilities_at: string | null;
                        cert_fingerprint: string | null;
                        cert_not_after: string | null;
                        config_generation_applied: number | null;
                        config_group_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        health: {
                            [key: string]: unknown;
                        } | null;
                        health_at: string | null;
                        hostname: string;
                        /** Format: uuid */
                        id: string;
                        last_address: string | null;
                        last_auth_mode: string | null;
                        last_batch_at: string | null;
                        last_contiguous_seq_no: number;
                        last_reconcile_at: string | null;
                        last_seen_at: string | null;
                        name: string;
                        platform: string;
                        revoked_at: string | null;
                        /** @enum {unknown} */
                        status: "pending" | "active" | "revoked";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAgentsAgentId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_version: string | null;
                        /** @description False while the enrolment waits for an administrator. */
                        approved: boolean;
                        capabilities: {
                            [key: string]: unknown;
                        } | null;
                        capabilities_at: string | null;
                        cert_fingerprint: string | null;
                        cert_not_after: string | null;
                        config_generation_applied: number | null;
                        config_group_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        health: {
                            [key: string]: unknown;
                        } | null;
                        health_at: string | null;
                        hostname: string;
                        /** Format: uuid */
                        id: string;
                        last_address: string | null;
                        last_auth_mode: string | null;
                        last_batch_at: string | null;
                        last_contiguous_seq_no: number;
                        last_reconcile_at: string | null;
                        last_seen_at: string | null;
                        name: string;
                        platform: string;
                        revoked_at: string | null;
                        /** @enum {unknown} */
                        status: "pending" | "active" | "revoked";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdApprove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_version: string | null;
                        /** @description False while the enrolment waits for an administrator. */
                        approved: boolean;
                        capabilities: {
                            [key: string]: unknown;
                        } | null;
                        capabilities_at: string | null;
                        cert_fingerprint: string | null;
                        cert_not_after: string | null;
                        config_generation_applied: number | null;
                        config_group_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        health: {
                            [key: string]: unknown;
                        } | null;
                        health_at: string | null;
                        hostname: string;
                        /** Format: uuid */
                        id: string;
                        last_address: string | null;
                        last_auth_mode: string | null;
                        last_batch_at: string | null;
                        last_contiguous_seq_no: number;
                        last_reconcile_at: string | null;
                        last_seen_at: string | null;
                        name: string;
                        platform: string;
                        revoked_at: string | null;
                        /** @enum {unknown} */
                        status: "pending" | "active" | "revoked";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCaOtt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ca: {
                            cert_ttl_hours: number;
                            fingerprint: string | null;
                            /** @enum {unknown} */
                            kind: "built-in" | "external";
                            provisioner: string;
                            url: string | null;
                        };
                        ca_ott: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the SHA-256 of the certificate in hexadecimal digits */
                    cert_fingerprint?: string;
                    certificate_pem?: string;
                    enroll_secret: string;
                    proof?: string;
                    public_key?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_version: string | null;
                        /** @description False while the enrolment waits for an administrator. */
                        approved: boolean;
                        capabilities: {
                            [key: string]: unknown;
                        } | null;
                        capabilities_at: string | null;
                        cert_fingerprint: string | null;
                        cert_not_after: string | null;
                        config_generation_applied: number | null;
                        config_group_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        health: {
                            [key: string]: unknown;
                        } | null;
                        health_at: string | null;
                        hostname: string;
                        /** Format: uuid */
                        id: string;
                        last_address: string | null;
                        last_auth_mode: string | null;
                        last_batch_at: string | null;
                        last_contiguous_seq_no: number;
                        last_reconcile_at: string | null;
                        last_seen_at: string | null;
                        name: string;
                        platform: string;
                        revoked_at: string | null;
                        /** @enum {unknown} */
                        status: "pending" | "active" | "revoked";
                    } & {
                        certificate_pem: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCertificateRenew: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    proof?: string;
                    public_key?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        certificate_pem: string;
                        root_pem: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCommands: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    kind: "rescan" | "inventory" | "reconcile";
                    payload?: {
                        /**
                         * Format: uuid
                         * @description One library of the agent. Without it: all of them.
                         */
                        library_id?: string;
                        max_depth?: number;
                        max_entries?: number;
                        path?: string;
                    };
                    ttl_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCommandsCommandIdAck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                command_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    progress?: {
                        done: number;
                        total: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCommandsCommandIdComplete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                command_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default true */
                    ok?: boolean;
                    result?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdCommandsPoll: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 10 */
                    max?: number;
                    /** @default 0 */
                    wait_seconds?: number;
                    /** @description Commands on which the agent works. Those that have ended are returned; others that it was given are given again. */
                    working?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        attempts: number;
                        completed_at: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        /** @enum {unknown} */
                        kind: "rescan" | "inventory" | "reconcile" | "stage_upload";
                        payload: {
                            [key: string]: unknown;
                        };
                        picked_up_at: string | null;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        requested_by: string | null;
                        result: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "picked_up" | "done" | "failed" | "expired" | "cancelled";
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putAgentsAgentIdConfigGroups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    group_ids: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        group_ids: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsAgentIdEffectiveConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        confirmed_generation: number | null;
                        document: {
                            content_hash_max_bytes: number;
                            exclude_globs: string[];
                            include_globs: string[];
                            presets: {
                                name: string;
                                patterns: string[];
                            }[];
                            read_bytes_per_second: number | null;
                            scan_interval_seconds: number | null;
                            upload_bytes_per_second: number | null;
                        };
                        generation: number;
                        groups: {
                            /** Format: uuid */
                            id: string;
                            is_system: boolean;
                            name: string;
                            priority: number;
                        }[];
                        hash: string;
                        last_seen_at: string | null;
                        provenance: {
                            [key: string]: {
                                /** Format: uuid */
                                group_id: string;
                                name: string;
                            };
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdHeartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    capabilities?: {
                        [key: string]: unknown;
                    };
                    health?: {
                        [key: string]: unknown;
                    };
                    version?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expected_seq_no: number;
                        /** @description Scan on, but send no changes for now. */
                        maintenance: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdInventoryResults: {
        parameters: {
            query?: never;
            header: {
                "x-svc-command-id": string;
            };
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/gzip": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: boolean;
                        entries: number;
                        stored: boolean;
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: boolean;
                        entries: number;
                        stored: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsAgentIdPolicy: {
        parameters: {
            query?: {
                /** @description The generation in use. */
                applied?: number;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        policy: {
                            content_hash_max_bytes: number;
                            exclude_globs: string[];
                            include_globs: string[];
                            presets: {
                                name: string;
                                patterns: string[];
                            }[];
                            read_bytes_per_second: number | null;
                            scan_interval_seconds: number | null;
                            upload_bytes_per_second: number | null;
                        };
                        /** @enum {unknown} */
                        scope: "groups";
                        version: number;
                    };
                };
            };
            /** @description Unchanged. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsAgentIdQuarantine: {
        parameters: {
            query?: {
                /** @description Only earlier sequence numbers. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entry: {
                            [key: string]: unknown;
                        };
                        reason: string;
                        /** Format: date-time */
                        received_at: string;
                        seq_no: number;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAgentsAgentIdQuarantine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdReconcileSessionIdBuckets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    digests: string[];
                    /** @description Relative to the root; empty for the root. */
                    path: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        differing: number[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdReconcileSessionIdFinish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        refused: number;
                        /** @enum {unknown} */
                        status: "reconciled";
                        tombstoned: number;
                        trashed_conflicts: number;
                        upserted: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdReconcileSessionIdFolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    folders: {
                        children: [
                            string,
                            string
                        ][];
                        /** @description 16 hexadecimal digits */
                        digest: string;
                        /** @description Relative to the root; empty for the root. */
                        path: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enter: string[];
                        list: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdReconcileSessionIdRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    folders: {
                        buckets?: {
                            count: number;
                            which: number[];
                        };
                        files: ({
                            name: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Relative to the root; empty for the root. */
                        path: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        differing: number;
                        refused: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdReconcileStart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 16 hexadecimal digits */
                    digest: string;
                    library_ref: string;
                    row_count: number;
                    /** @description The last change that the agent has sent. All changes must have been applied. */
                    seq_no: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        session_id?: string;
                        /** @enum {unknown} */
                        status: "match" | "mismatch";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdReplicationBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Must be the id in the path. */
                    agent_id: string;
                    /** @description Changes in the order of their sequence numbers, at most 1000. */
                    entries: unknown[];
                };
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        applied: number;
                        last_seq: number;
                        libraries_created: number;
                        moved: number;
                        noop_tombstones: number;
                        /** @description Entries that could not be applied; see the quarantine of the agent. */
                        quarantined: number;
                        tombstoned: number;
                        /** @description Files that a person has put into the recycle bin; they stay there. */
                        trashed_conflicts: number;
                        upserted: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsAgentIdStaging: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    command_id: string;
                    total_bytes: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes_transferred: number;
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                    };
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes_transferred: number;
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsAgentIdStagingTransferId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes_transferred: number;
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAgentsAgentIdStagingTransferId: {
        parameters: {
            query?: never;
            header: {
                "upload-offset": number;
            };
            path: {
                agent_id: string;
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes_transferred: number;
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsConfigGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        current_version: number;
                        description: string | null;
                        generation: number;
                        /** Format: uuid */
                        id: string;
                        is_system: boolean;
                        member_count: number;
                        name: string;
                        policy: {
                            content_hash_max_bytes?: number;
                            exclude_globs?: string[];
                            include_globs?: string[];
                            presets?: string[];
                            read_bytes_per_second?: number;
                            scan_interval_seconds?: number;
                            upload_bytes_per_second?: number;
                        };
                        priority: number;
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsConfigGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name: string;
                    policy?: {
                        content_hash_max_bytes?: number;
                        exclude_globs?: string[];
                        include_globs?: string[];
                        presets?: string[];
                        read_bytes_per_second?: number;
                        scan_interval_seconds?: number;
                        upload_bytes_per_second?: number;
                    };
                    priority?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        current_version: number;
                        description: string | null;
                        generation: number;
                        /** Format: uuid */
                        id: string;
                        is_system: boolean;
                        member_count: number;
                        name: string;
                        policy: {
                            content_hash_max_bytes?: number;
                            exclude_globs?: string[];
                            include_globs?: string[];
                            presets?: string[];
                            read_bytes_per_second?: number;
                            scan_interval_seconds?: number;
                            upload_bytes_per_second?: number;
                        };
                        priority: number;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAgentsConfigGroupsGroupId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAgentsConfigGroupsGroupId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                    /** @description Why it was changed. */
                    note?: string;
                    policy?: {
                        content_hash_max_bytes?: number;
                        exclude_globs?: string[];
                        include_globs?: string[];
                        presets?: string[];
                        read_bytes_per_second?: number;
                        scan_interval_seconds?: number;
                        upload_bytes_per_second?: number;
                    };
                    priority?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        current_version: number;
                        description: string | null;
                        generation: number;
                        /** Format: uuid */
                        id: string;
                        is_system: boolean;
                        member_count: number;
                        name: string;
                        policy: {
                            content_hash_max_bytes?: number;
                            exclude_globs?: string[];
                            include_globs?: string[];
                            presets?: string[];
                            read_bytes_per_second?: number;
                            scan_interval_seconds?: number;
                            upload_bytes_per_second?: number;
                        };
                        priority: number;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsConfigGroupsGroupIdHistory: {
        parameters: {
            query?: {
                /** @description Only earlier versions. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        actor: string | null;
                        /** Format: date-time */
                        created_at: string;
                        note: string | null;
                        policy: {
                            content_hash_max_bytes?: number;
                            exclude_globs?: string[];
                            include_globs?: string[];
                            presets?: string[];
                            read_bytes_per_second?: number;
                            scan_interval_seconds?: number;
                            upload_bytes_per_second?: number;
                        };
                        version: number;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsConfigGroupsGroupIdPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    policy: {
                        content_hash_max_bytes?: number;
                        exclude_globs?: string[];
                        include_globs?: string[];
                        presets?: string[];
                        read_bytes_per_second?: number;
                        scan_interval_seconds?: number;
                        upload_bytes_per_second?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        affected: {
                            /** Format: uuid */
                            agent_id: string;
                            keys: string[];
                            name: string;
                        }[];
                        /** @description Agents whose configuration would change; other groups may win. */
                        affected_count: number;
                        changes: {
                            after: unknown;
                            before: unknown;
                            key: string;
                        }[];
                        members: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsConfigGroupsGroupIdRollback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why it was changed. */
                    note?: string;
                    version: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        current_version: number;
                        description: string | null;
                        generation: number;
                        /** Format: uuid */
                        id: string;
                        is_system: boolean;
                        member_count: number;
                        name: string;
                        policy: {
                            content_hash_max_bytes?: number;
                            exclude_globs?: string[];
                            include_globs?: string[];
                            presets?: string[];
                            read_bytes_per_second?: number;
                            scan_interval_seconds?: number;
                            upload_bytes_per_second?: number;
                        };
                        priority: number;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsEnrollmentTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        config_group_names: string[];
                        consumed_at: string | null;
                        consumed_by: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        hostname: string | null;
                        network: string | null;
                        requires_approval: boolean;
                        /** @enum {unknown} */
                        status: "active" | "consumed" | "expired";
                        token_hash: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsEnrollmentTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config_group_names?: string[];
                    hostname?: string | null;
                    network?: string | null;
                    requires_approval?: boolean;
                    ttl_minutes?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        config_group_names: string[];
                        /** Format: date-time */
                        expires_at: string;
                        /** @description Shown only once. */
                        token: string;
                        token_hash: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAgentsEnrollmentTokensTokenHash: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path: {
                token_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAgentsRegister: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent_version?: string;
                    config_group?: string;
                    hostname: string;
                    name?: string;
                    /** @description windows, macos or linux. */
                    platform: string;
                    token: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        agent_plane_url: string | null;
                        approved: boolean;
                        ca: {
                            cert_ttl_hours: number;
                            fingerprint: string | null;
                            /** @enum {unknown} */
                            kind: "built-in" | "external";
                            provisioner: string;
                            url: string | null;
                        };
                        ca_ott: string | null;
                        config_group_warning: string | null;
                        /** @description Shown only once; spent when a certificate is bound. */
                        enroll_secret: string;
                        root_pem: string | null;
                        /** @enum {unknown} */
                        status: "pending";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAgentsSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Active and seen within five minutes. */
                        connected: number;
                        disconnected: number;
                        pending: number;
                        revoked: number;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Secrets read as __redacted__, or null when they are not set. */
                        config: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        dispatch_locality: "central";
                        enabled: boolean;
                        /** @description Messages in a row that could not be delivered. */
                        failures: number;
                        /** Format: uuid */
                        id: string;
                        last_delivered_at: string | null;
                        last_error: string | null;
                        name: string;
                        /** @enum {unknown} */
                        type: "webhook" | "smtp" | "gateway";
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config?: {
                        allow_insecure?: boolean;
                        from_addr?: string;
                        host?: string;
                        password?: string;
                        port?: number;
                        secret?: string;
                        /** @enum {unknown} */
                        security?: "starttls" | "ssl" | "plain";
                        to?: string | string[];
                        url?: string;
                        username?: string;
                        /** @enum {unknown} */
                        webhook_format?: "auto" | "generic" | "discord" | "slack";
                    };
                    /** @enum {unknown} */
                    dispatch_locality?: "central";
                    enabled?: boolean;
                    name: string;
                    /** @enum {unknown} */
                    type: "webhook" | "smtp" | "gateway";
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Secrets read as __redacted__, or null when they are not set. */
                        config: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        dispatch_locality: "central";
                        enabled: boolean;
                        /** @description Messages in a row that could not be delivered. */
                        failures: number;
                        /** Format: uuid */
                        id: string;
                        last_delivered_at: string | null;
                        last_error: string | null;
                        name: string;
                        /** @enum {unknown} */
                        type: "webhook" | "smtp" | "gateway";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertChannelsChannelId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Secrets read as __redacted__, or null when they are not set. */
                        config: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        dispatch_locality: "central";
                        enabled: boolean;
                        /** @description Messages in a row that could not be delivered. */
                        failures: number;
                        /** Format: uuid */
                        id: string;
                        last_delivered_at: string | null;
                        last_error: string | null;
                        name: string;
                        /** @enum {unknown} */
                        type: "webhook" | "smtp" | "gateway";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAlertChannelsChannelId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAlertChannelsChannelId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config?: {
                        allow_insecure?: boolean;
                        from_addr?: string;
                        host?: string;
                        password?: string;
                        port?: number;
                        secret?: string;
                        /** @enum {unknown} */
                        security?: "starttls" | "ssl" | "plain";
                        to?: string | string[];
                        url?: string;
                        username?: string;
                        /** @enum {unknown} */
                        webhook_format?: "auto" | "generic" | "discord" | "slack";
                    };
                    /** @enum {unknown} */
                    dispatch_locality?: "central";
                    enabled?: boolean;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Secrets read as __redacted__, or null when they are not set. */
                        config: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        dispatch_locality: "central";
                        enabled: boolean;
                        /** @description Messages in a row that could not be delivered. */
                        failures: number;
                        /** Format: uuid */
                        id: string;
                        last_delivered_at: string | null;
                        last_error: string | null;
                        name: string;
                        /** @enum {unknown} */
                        type: "webhook" | "smtp" | "gateway";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertChannelsChannelIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config?: {
                        allow_insecure?: boolean;
                        from_addr?: string;
                        host?: string;
                        password?: string;
                        port?: number;
                        secret?: string;
                        /** @enum {unknown} */
                        security?: "starttls" | "ssl" | "plain";
                        to?: string | string[];
                        url?: string;
                        username?: string;
                        /** @enum {unknown} */
                        webhook_format?: "auto" | "generic" | "discord" | "slack";
                    };
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        ok: boolean;
                        retryable: boolean;
                        status_code: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertChannelsTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config: {
                        allow_insecure?: boolean;
                        from_addr?: string;
                        host?: string;
                        password?: string;
                        port?: number;
                        secret?: string;
                        /** @enum {unknown} */
                        security?: "starttls" | "ssl" | "plain";
                        to?: string | string[];
                        url?: string;
                        username?: string;
                        /** @enum {unknown} */
                        webhook_format?: "auto" | "generic" | "discord" | "slack";
                    };
                    /** @enum {unknown} */
                    type: "webhook" | "smtp" | "gateway";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        ok: boolean;
                        retryable: boolean;
                        status_code: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertEvents: {
        parameters: {
            query?: {
                alert_id?: string;
                cursor?: string;
                delivered?: boolean;
                library_id?: string;
                limit?: number;
                rule_id?: string;
                status?: "delivered" | "failed" | "pending" | "suppressed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        alert_id: string;
                        dedup_key: string;
                        delivered: boolean;
                        delivered_at: string | null;
                        delivery_attempts: number;
                        event_type: string;
                        /** Format: uuid */
                        id: string;
                        item_id: string | null;
                        last_error: string | null;
                        library_id: string | null;
                        message: string;
                        /** Format: date-time */
                        occurred_at: string;
                        /** Format: uuid */
                        rule_id: string;
                        /** @enum {unknown} */
                        status: "delivered" | "failed" | "pending" | "suppressed";
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertEventsEventIdResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queued: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertEventsSummary: {
        parameters: {
            query?: {
                library_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        delivered: number;
                        failed: number;
                        pending: number;
                        suppressed: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        digest_window: ("hourly" | "daily") | null;
                        enabled: boolean;
                        escalate_after_s: number | null;
                        escalate_channel_ids: string[];
                        event_types: string[];
                        /** @description Alerts of this rule that fire now. */
                        firing: number;
                        group_by: string[];
                        group_wait_s: number;
                        hash_change_only: boolean;
                        /** Format: uuid */
                        id: string;
                        inhibit_window_s: number;
                        inhibited_by: string[];
                        is_system: boolean;
                        library_id: string | null;
                        name: string;
                        notify_resolved: boolean;
                        path_glob: string | null;
                        repeat_interval_s: number | null;
                        saved_search_id: string | null;
                        /** @enum {unknown} */
                        severity: "info" | "warning" | "critical";
                        threshold_count: number | null;
                        threshold_window_s: number | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    channel_ids?: string[];
                    digest_window?: ("hourly" | "daily") | null;
                    enabled?: boolean;
                    escalate_after_s?: number | null;
                    escalate_channel_ids?: string[];
                    event_types: ("created" | "modified" | "deleted" | "moved" | "search_match" | "scan_failed" | "extract_error_spike" | "disk_low_space" | "report_delivery_failed" | "agent_offline" | "agent_replication_stalled" | "agent_verify_mismatch" | "permission_changed" | "integrity_mismatch")[];
                    group_by?: string[];
                    group_wait_s?: number;
                    hash_change_only?: boolean;
                    inhibit_window_s?: number;
                    inhibited_by?: string[];
                    is_system?: boolean;
                    library_id?: string | null;
                    name: string;
                    notify_resolved?: boolean;
                    path_glob?: string | null;
                    repeat_interval_s?: number | null;
                    saved_search_id?: string | null;
                    /** @enum {unknown} */
                    severity?: "info" | "warning" | "critical";
                    threshold_count?: number | null;
                    threshold_window_s?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        digest_window: ("hourly" | "daily") | null;
                        enabled: boolean;
                        escalate_after_s: number | null;
                        escalate_channel_ids: string[];
                        event_types: string[];
                        /** @description Alerts of this rule that fire now. */
                        firing: number;
                        group_by: string[];
                        group_wait_s: number;
                        hash_change_only: boolean;
                        /** Format: uuid */
                        id: string;
                        inhibit_window_s: number;
                        inhibited_by: string[];
                        is_system: boolean;
                        library_id: string | null;
                        name: string;
                        notify_resolved: boolean;
                        path_glob: string | null;
                        repeat_interval_s: number | null;
                        saved_search_id: string | null;
                        /** @enum {unknown} */
                        severity: "info" | "warning" | "critical";
                        threshold_count: number | null;
                        threshold_window_s: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertRulesRuleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        digest_window: ("hourly" | "daily") | null;
                        enabled: boolean;
                        escalate_after_s: number | null;
                        escalate_channel_ids: string[];
                        event_types: string[];
                        /** @description Alerts of this rule that fire now. */
                        firing: number;
                        group_by: string[];
                        group_wait_s: number;
                        hash_change_only: boolean;
                        /** Format: uuid */
                        id: string;
                        inhibit_window_s: number;
                        inhibited_by: string[];
                        is_system: boolean;
                        library_id: string | null;
                        name: string;
                        notify_resolved: boolean;
                        path_glob: string | null;
                        repeat_interval_s: number | null;
                        saved_search_id: string | null;
                        /** @enum {unknown} */
                        severity: "info" | "warning" | "critical";
                        threshold_count: number | null;
                        threshold_window_s: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAlertRulesRuleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAlertRulesRuleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    channel_ids?: string[];
                    digest_window?: ("hourly" | "daily") | null;
                    enabled?: boolean;
                    escalate_after_s?: number | null;
                    escalate_channel_ids?: string[];
                    event_types?: ("created" | "modified" | "deleted" | "moved" | "search_match" | "scan_failed" | "extract_error_spike" | "disk_low_space" | "report_delivery_failed" | "agent_offline" | "agent_replication_stalled" | "agent_verify_mismatch" | "permission_changed" | "integrity_mismatch")[];
                    group_by?: string[];
                    group_wait_s?: number;
                    hash_change_only?: boolean;
                    inhibit_window_s?: number;
                    inhibited_by?: string[];
                    is_system?: boolean;
                    library_id?: string | null;
                    name?: string;
                    notify_resolved?: boolean;
                    path_glob?: string | null;
                    repeat_interval_s?: number | null;
                    saved_search_id?: string | null;
                    /** @enum {unknown} */
                    severity?: "info" | "warning" | "critical";
                    threshold_count?: number | null;
                    threshold_window_s?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        digest_window: ("hourly" | "daily") | null;
                        enabled: boolean;
                        escalate_after_s: number | null;
                        escalate_channel_ids: string[];
                        event_types: string[];
                        /** @description Alerts of this rule that fire now. */
                        firing: number;
                        group_by: string[];
                        group_wait_s: number;
                        hash_change_only: boolean;
                        /** Format: uuid */
                        id: string;
                        inhibit_window_s: number;
                        inhibited_by: string[];
                        is_system: boolean;
                        library_id: string | null;
                        name: string;
                        notify_resolved: boolean;
                        path_glob: string | null;
                        repeat_interval_s: number | null;
                        saved_search_id: string | null;
                        /** @enum {unknown} */
                        severity: "info" | "warning" | "critical";
                        threshold_count: number | null;
                        threshold_window_s: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertRulesBulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    channel_ids?: string[];
                    /** @enum {unknown} */
                    channel_mode?: "set" | "add" | "remove";
                    digest_window?: ("hourly" | "daily") | null;
                    enabled?: boolean;
                    group_wait_s?: number;
                    repeat_interval_s?: number | null;
                    rule_ids: string[];
                    set_throttle?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        missing: string[];
                        updated: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertRulesPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    channel_ids?: string[];
                    days?: number;
                    digest_window?: ("hourly" | "daily") | null;
                    enabled?: boolean;
                    escalate_after_s?: number | null;
                    escalate_channel_ids?: string[];
                    event_types: ("created" | "modified" | "deleted" | "moved" | "search_match" | "scan_failed" | "extract_error_spike" | "disk_low_space" | "report_delivery_failed" | "agent_offline" | "agent_replication_stalled" | "agent_verify_mismatch" | "permission_changed" | "integrity_mismatch")[];
                    group_by?: string[];
                    group_wait_s?: number;
                    hash_change_only?: boolean;
                    inhibit_window_s?: number;
                    inhibited_by?: string[];
                    is_system?: boolean;
                    library_id?: string | null;
                    name?: string;
                    notify_resolved?: boolean;
                    path_glob?: string | null;
                    repeat_interval_s?: number | null;
                    saved_search_id?: string | null;
                    /** @enum {unknown} */
                    severity?: "info" | "warning" | "critical";
                    threshold_count?: number | null;
                    threshold_window_s?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alternatives: {
                            fired: number;
                            threshold_count: number;
                        }[];
                        complete: boolean;
                        days: {
                            day: string;
                            matches: number;
                        }[];
                        fired: number | null;
                        matches: number;
                        note: string | null;
                        times: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlertSilences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        created_by: string;
                        daily_from: string | null;
                        daily_to: string | null;
                        ends_at: string | null;
                        /** Format: uuid */
                        id: string;
                        library_id: string | null;
                        reason: string;
                        rule_id: string | null;
                        /** Format: date-time */
                        starts_at: string;
                        time_zone: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertSilences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    alert_id?: string | null;
                    daily_from?: string | null;
                    daily_to?: string | null;
                    ends_at?: string | null;
                    library_id?: string | null;
                    reason?: string;
                    rule_id?: string | null;
                    /** Format: date-time */
                    starts_at?: string;
                    time_zone?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        created_by: string;
                        daily_from: string | null;
                        daily_to: string | null;
                        ends_at: string | null;
                        /** Format: uuid */
                        id: string;
                        library_id: string | null;
                        reason: string;
                        rule_id: string | null;
                        /** Format: date-time */
                        starts_at: string;
                        time_zone: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAlertSilencesSilenceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                silence_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAlertSilencesSilenceId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                silence_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    daily_from?: string | null;
                    daily_to?: string | null;
                    ends_at?: string | null;
                    library_id?: string | null;
                    reason?: string;
                    rule_id?: string | null;
                    time_zone?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        created_by: string;
                        daily_from: string | null;
                        daily_to: string | null;
                        ends_at: string | null;
                        /** Format: uuid */
                        id: string;
                        library_id: string | null;
                        reason: string;
                        rule_id: string | null;
                        /** Format: date-time */
                        starts_at: string;
                        time_zone: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAlerts: {
        parameters: {
            query?: {
                before?: string;
                days?: number;
                limit?: number;
                state?: "firing" | "resolved";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        firing: number;
                        items: {
                            acknowledged_at: string | null;
                            acknowledged_by: string | null;
                            deliveries: {
                                attempts: number;
                                channel: string;
                                /** Format: uuid */
                                channel_id: string;
                                delivered_at: string | null;
                                last_error: string | null;
                                /** @enum {unknown} */
                                state: "pending" | "sending" | "delivered" | "failed";
                            }[];
                            event_type: string;
                            events: number;
                            held: string | null;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_event_at: string;
                            library: string | null;
                            library_id: string | null;
                            message: string;
                            notified_at: string | null;
                            /** Format: date-time */
                            opened_at: string;
                            outcome: string | null;
                            resolved_at: string | null;
                            /** Format: uuid */
                            rule_id: string;
                            rule_name: string;
                            /** @enum {unknown} */
                            severity: "info" | "warning" | "critical";
                            /** @enum {unknown} */
                            state: "waiting" | "firing" | "resolved";
                            title: string;
                        }[];
                        resolved_last_week: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertsAlertIdAcknowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAlertsAlertIdResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        queued: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            /** Format: date-time */
                            created_at: string;
                            expired: boolean;
                            expires_at: string | null;
                            /** Format: uuid */
                            id: string;
                            last_used_at: string | null;
                            libraries: string[] | null;
                            name: string;
                            path_scope: string | null;
                            prefix: string;
                            principal_id: string | null;
                            scopes: string[];
                            service_account: string | null;
                            service_account_id: string | null;
                            username: string | null;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_days?: number | null;
                    libraries?: string[] | null;
                    name: string;
                    path_scope?: string | null;
                    scopes: ("read" | "write" | "admin")[];
                    service_account_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        expired: boolean;
                        expires_at: string | null;
                        /** Format: uuid */
                        id: string;
                        key: string;
                        last_used_at: string | null;
                        libraries: string[] | null;
                        name: string;
                        path_scope: string | null;
                        prefix: string;
                        principal_id: string | null;
                        scopes: string[];
                        service_account: string | null;
                        service_account_id: string | null;
                        username: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteApiKeysKeyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getApiKeysScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        scopes: ("read" | "write" | "admin")[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query?: {
                cursor?: string;
                event_type?: string;
                limit?: number;
                principal_id?: string;
                since?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            details: {
                                [key: string]: unknown;
                            } | null;
                            event_type: string;
                            /** Format: uuid */
                            id: string;
                            ip: string | null;
                            principal_id: string | null;
                            /** Format: date-time */
                            ts: string;
                            user_agent: string | null;
                            username_attempted: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthConfigDirectory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _source: {
                            /** @enum {unknown} */
                            attr_display_name: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_member_of_dir: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_object_guid: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_object_sid: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_sam: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_upn: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            directories: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            domain: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_filter: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            max_objects: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            page_size: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            sync_enabled: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_filter: "gui" | "env" | "unset";
                        };
                        attr_display_name: string | null;
                        attr_member_of_dir: string | null;
                        attr_object_guid: string | null;
                        attr_object_sid: string | null;
                        attr_sam: string | null;
                        attr_upn: string | null;
                        directories: {
                            bind_dn?: string;
                            bind_password?: string;
                            domain?: string;
                            group_base?: string;
                            label?: string;
                            server?: string;
                            user_base?: string;
                        }[] | null;
                        domain: string | null;
                        group_base: string | null;
                        group_filter: string | null;
                        max_objects: number | null;
                        page_size: number | null;
                        sync_enabled: boolean;
                        user_base: string | null;
                        user_filter: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putAuthConfigDirectory: {
        parameters: {
            query?: {
                confirm?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    attr_display_name?: string | null;
                    attr_member_of_dir?: string | null;
                    attr_object_guid?: string | null;
                    attr_object_sid?: string | null;
                    attr_sam?: string | null;
                    attr_upn?: string | null;
                    directories?: {
                        bind_dn?: string;
                        bind_password?: string;
                        domain?: string;
                        group_base?: string;
                        label?: string;
                        server?: string;
                        user_base?: string;
                    }[] | null;
                    domain?: string | null;
                    group_base?: string | null;
                    group_filter?: string | null;
                    max_objects?: number | null;
                    page_size?: number | null;
                    sync_enabled?: boolean | null;
                    user_base?: string | null;
                    user_filter?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _source: {
                            /** @enum {unknown} */
                            attr_display_name: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_member_of_dir: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_object_guid: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_object_sid: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_sam: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_upn: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            directories: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            domain: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_filter: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            max_objects: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            page_size: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            sync_enabled: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_filter: "gui" | "env" | "unset";
                        };
                        attr_display_name: string | null;
                        attr_member_of_dir: string | null;
                        attr_object_guid: string | null;
                        attr_object_sid: string | null;
                        attr_sam: string | null;
                        attr_upn: string | null;
                        directories: {
                            bind_dn?: string;
                            bind_password?: string;
                            domain?: string;
                            group_base?: string;
                            label?: string;
                            server?: string;
                            user_base?: string;
                        }[] | null;
                        domain: string | null;
                        group_base: string | null;
                        group_filter: string | null;
                        max_objects: number | null;
                        page_size: number | null;
                        sync_enabled: boolean;
                        user_base: string | null;
                        user_filter: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthConfigLdap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _source: {
                            /** @enum {unknown} */
                            admin_groups: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            allow_plaintext: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_email: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            auto_provision: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            bind_dn: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            bind_password: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            ca_file: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            ca_pem: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            default_role: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            enabled: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            failover: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_filter: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            nested_groups: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            role_map: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            server: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            start_tls: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            timeout: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_dn_template: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_filter: "gui" | "env" | "unset";
                        };
                        admin_groups: string[] | null;
                        allow_plaintext: boolean;
                        attr_email: string | null;
                        auto_provision: boolean;
                        bind_dn: string | null;
                        ca_file: string | null;
                        ca_pem: string | null;
                        default_role: string | null;
                        enabled: boolean;
                        failover: string[] | null;
                        group_base: string | null;
                        group_filter: string | null;
                        has_bind_password: boolean;
                        nested_groups: boolean;
                        role_map: string | null;
                        server: string | null;
                        start_tls: boolean;
                        timeout: number | null;
                        user_base: string | null;
                        user_dn_template: string | null;
                        user_filter: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putAuthConfigLdap: {
        parameters: {
            query?: {
                confirm?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    admin_groups?: string[] | null;
                    allow_plaintext?: boolean | null;
                    attr_email?: string | null;
                    auto_provision?: boolean | null;
                    bind_dn?: string | null;
                    bind_password?: string | null;
                    ca_file?: string | null;
                    ca_pem?: string | null;
                    default_role?: string | null;
                    enabled?: boolean | null;
                    failover?: string[] | null;
                    group_base?: string | null;
                    group_filter?: string | null;
                    nested_groups?: boolean | null;
                    role_map?: string | null;
                    server?: string | null;
                    start_tls?: boolean | null;
                    timeout?: number | null;
                    user_base?: string | null;
                    user_dn_template?: string | null;
                    user_filter?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _source: {
                            /** @enum {unknown} */
                            admin_groups: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            allow_plaintext: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            attr_email: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            auto_provision: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            bind_dn: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            bind_password: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            ca_file: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            ca_pem: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            default_role: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            enabled: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            failover: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_filter: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            nested_groups: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            role_map: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            server: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            start_tls: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            timeout: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_base: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_dn_template: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            user_filter: "gui" | "env" | "unset";
                        };
                        admin_groups: string[] | null;
                        allow_plaintext: boolean;
                        attr_email: string | null;
                        auto_provision: boolean;
                        bind_dn: string | null;
                        ca_file: string | null;
                        ca_pem: string | null;
                        default_role: string | null;
                        enabled: boolean;
                        failover: string[] | null;
                        group_base: string | null;
                        group_filter: string | null;
                        has_bind_password: boolean;
                        nested_groups: boolean;
                        role_map: string | null;
                        server: string | null;
                        start_tls: boolean;
                        timeout: number | null;
                        user_base: string | null;
                        user_dn_template: string | null;
                        user_filter: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthConfigLdapFetchCert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    server?: string;
                    start_tls?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chain?: {
                            is_ca: boolean;
                            is_self_signed: boolean;
                            issuer: string;
                            /** Format: date-time */
                            not_after: string;
                            sha256: string;
                            subject: string;
                        }[];
                        error?: string;
                        host?: string;
                        note?: string;
                        ok: boolean;
                        port?: number;
                        suggested_ca_pem?: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthConfigLdapTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    admin_groups?: string[] | null;
                    allow_plaintext?: boolean | null;
                    attr_email?: string | null;
                    auto_provision?: boolean | null;
                    bind_dn?: string | null;
                    bind_password?: string | null;
                    ca_file?: string | null;
                    ca_pem?: string | null;
                    default_role?: string | null;
                    enabled?: boolean | null;
                    failover?: string[] | null;
                    group_base?: string | null;
                    group_filter?: string | null;
                    nested_groups?: boolean | null;
                    role_map?: string | null;
                    sample_password?: string;
                    sample_username?: string;
                    server?: string | null;
                    start_tls?: boolean | null;
                    timeout?: number | null;
                    user_base?: string | null;
                    user_dn_template?: string | null;
                    user_filter?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail?: string;
                        error?: string;
                        groups?: number;
                        ok: boolean;
                        sample?: {
                            dn: string;
                            groups: string[];
                            reason: string;
                            role: string;
                        };
                        users?: number;
                        /** @description What people would notice if this were saved. */
                        warnings: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthConfigOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _source: {
                            /** @enum {unknown} */
                            admin_groups: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            auto_provision: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            client_id: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            client_secret: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            default_role: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            enabled: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_claim: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            issuer: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            label: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            link_by_email: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            providers: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            redirect_uri: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            role_claim: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            role_map: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            scopes: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            username_claim: "gui" | "env" | "unset";
                        };
                        admin_groups: string[] | null;
                        auto_provision: boolean;
                        client_id: string | null;
                        default_role: string | null;
                        enabled: boolean;
                        group_claim: string | null;
                        has_client_secret: boolean;
                        issuer: string | null;
                        label: string | null;
                        link_by_email: boolean;
                        providers: {
                            client_id?: string;
                            client_secret?: string;
                            issuer?: string;
                            label?: string;
                            name?: string;
                        }[] | null;
                        redirect_uri: string | null;
                        role_claim: string | null;
                        role_map: string | null;
                        scopes: string[] | null;
                        username_claim: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putAuthConfigOidc: {
        parameters: {
            query?: {
                confirm?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    admin_groups?: string[] | null;
                    auto_provision?: boolean | null;
                    client_id?: string | null;
                    client_secret?: string | null;
                    default_role?: string | null;
                    enabled?: boolean | null;
                    group_claim?: string | null;
                    issuer?: string | null;
                    label?: string | null;
                    link_by_email?: boolean | null;
                    providers?: {
                        client_id?: string;
                        client_secret?: string;
                        issuer?: string;
                        label?: string;
                        name?: string;
                    }[] | null;
                    redirect_uri?: string | null;
                    role_claim?: string | null;
                    role_map?: string | null;
                    scopes?: string[] | null;
                    username_claim?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _source: {
                            /** @enum {unknown} */
                            admin_groups: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            auto_provision: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            client_id: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            client_secret: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            default_role: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            enabled: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            group_claim: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            issuer: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            label: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            link_by_email: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            providers: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            redirect_uri: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            role_claim: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            role_map: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            scopes: "gui" | "env" | "unset";
                            /** @enum {unknown} */
                            username_claim: "gui" | "env" | "unset";
                        };
                        admin_groups: string[] | null;
                        auto_provision: boolean;
                        client_id: string | null;
                        default_role: string | null;
                        enabled: boolean;
                        group_claim: string | null;
                        has_client_secret: boolean;
                        issuer: string | null;
                        label: string | null;
                        link_by_email: boolean;
                        providers: {
                            client_id?: string;
                            client_secret?: string;
                            issuer?: string;
                            label?: string;
                            name?: string;
                        }[] | null;
                        redirect_uri: string | null;
                        role_claim: string | null;
                        role_map: string | null;
                        scopes: string[] | null;
                        username_claim: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthConfigOidcTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    admin_groups?: string[] | null;
                    auto_provision?: boolean | null;
                    client_id?: string | null;
                    client_secret?: string | null;
                    default_role?: string | null;
                    enabled?: boolean | null;
                    group_claim?: string | null;
                    issuer?: string | null;
                    label?: string | null;
                    link_by_email?: boolean | null;
                    providers?: {
                        client_id?: string;
                        client_secret?: string;
                        issuer?: string;
                        label?: string;
                        name?: string;
                    }[] | null;
                    redirect_uri?: string | null;
                    role_claim?: string | null;
                    role_map?: string | null;
                    scopes?: string[] | null;
                    username_claim?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        authorization_endpoint?: string;
                        error?: string;
                        issuer?: string;
                        jwks_uri?: string;
                        keys?: number;
                        ok: boolean;
                        token_endpoint?: string;
                        /** @description What people would notice if this were saved. */
                        warnings: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthBootstrap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthHeader: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: uuid */
                        id: string;
                        issuer: string;
                        /** Format: date-time */
                        last_used_at: string;
                        name: string | null;
                        /** @enum {unknown} */
                        provider: "oidc" | "ldap" | "header";
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAuthIdentitiesIdentityId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email?: string | null;
                    /** @default user */
                    global_role?: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        expires_at: string;
                        /** @description Path of the console; it is shown only once. */
                        link: string;
                        /** PrincipalOut */
                        user: {
                            /** @description Number of valid API keys of this account. A new password does not revoke them. */
                            api_keys: number;
                            auth_provider: string;
                            disabled: boolean;
                            display_name: string | null;
                            email: string | null;
                            global_role: string;
                            /** Format: uuid */
                            id: string;
                            /** @description A local account without a password: the person has not used the link of the invitation yet. */
                            invited: boolean;
                            kind: string;
                            last_login_at: string | null;
                            /** @description Your role requires a second factor that you have not set up. */
                            must_enrol?: boolean;
                            phone: string | null;
                            preferences: {
                                [key: string]: unknown;
                            };
                            role_reason: string | null;
                            /** @description local, or the provider that gave the role. */
                            role_source: string;
                            scopes: string[];
                            session_inactivity_hours: number | null;
                            session_ttl_hours: number | null;
                            username: string;
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthInvitationsToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthInvitationsAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    token: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Code of the authenticator app, or a recovery code. */
                    code?: string;
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** PrincipalOut */
                        principal: {
                            /** @description Number of valid API keys of this account. A new password does not revoke them. */
                            api_keys: number;
                            auth_provider: string;
                            disabled: boolean;
                            display_name: string | null;
                            email: string | null;
                            global_role: string;
                            /** Format: uuid */
                            id: string;
                            /** @description A local account without a password: the person has not used the link of the invitation yet. */
                            invited: boolean;
                            kind: string;
                            last_login_at: string | null;
                            /** @description Your role requires a second factor that you have not set up. */
                            must_enrol?: boolean;
                            phone: string | null;
                            preferences: {
                                [key: string]: unknown;
                            };
                            role_reason: string | null;
                            /** @description local, or the provider that gave the role. */
                            role_source: string;
                            scopes: string[];
                            session_inactivity_hours: number | null;
                            session_ttl_hours: number | null;
                            username: string;
                        };
                        warning: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAuthMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    display_name?: string | null;
                    email?: string | null;
                    phone?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putAuthMePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthMeSessionTimeouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inactivity_hours: number;
                        /** @enum {unknown} */
                        inactivity_source: "env" | "global" | "role" | "user";
                        ttl_hours: number;
                        /** @enum {unknown} */
                        ttl_source: "env" | "global" | "role" | "user";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthOidcBackchannelLogout: {
        parameters: {
            query?: {
                provider?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    logout_token: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthOidcCallback: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the page that asked for the sign-in, or to /?sso_error= with a reason. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthOidcConnect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default default */
                    provider?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The page of the provider to open. */
                        url: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthOidcLogin: {
        parameters: {
            query?: {
                provider?: string;
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider, or to /?sso_error= with a reason. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthOidcLogoutUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    response: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: uuid */
                        id: string;
                        last_used_at: string | null;
                        name: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAuthPasskeysPasskeyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAuthPasskeysPasskeyId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthPasskeysOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthPasskeysSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    response: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** PrincipalOut */
                        principal: {
                            /** @description Number of valid API keys of this account. A new password does not revoke them. */
                            api_keys: number;
                            auth_provider: string;
                            disabled: boolean;
                            display_name: string | null;
                            email: string | null;
                            global_role: string;
                            /** Format: uuid */
                            id: string;
                            /** @description A local account without a password: the person has not used the link of the invitation yet. */
                            invited: boolean;
                            kind: string;
                            last_login_at: string | null;
                            /** @description Your role requires a second factor that you have not set up. */
                            must_enrol?: boolean;
                            phone: string | null;
                            preferences: {
                                [key: string]: unknown;
                            };
                            role_reason: string | null;
                            /** @description local, or the provider that gave the role. */
                            role_source: string;
                            scopes: string[];
                            session_inactivity_hours: number | null;
                            session_ttl_hours: number | null;
                            username: string;
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthPasskeysSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                    /** @default false */
                    revoke_api_keys?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passkeys: {
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            last_used_at: string | null;
                            name: string;
                        }[];
                        recovery_codes_left: number;
                        /** @description Your role requires a second factor. */
                        required: boolean;
                        totp: boolean;
                        totp_confirmed_at: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        current: boolean;
                        /** Format: uuid */
                        id: string;
                        ip_address: string | null;
                        /** Format: date-time */
                        last_seen_at: string;
                        /** @description How the person signed in: password, passkey, oidc, ldap or header. */
                        method: string;
                        user_agent: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAuthSessionsSessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthSessionsRevokeAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthSettingsSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        env_inactivity_hours: number;
                        env_ttl_hours: number;
                        inactivity_hours: number;
                        /** @enum {unknown} */
                        inactivity_source: "env" | "global" | "role" | "user";
                        max_hours: number;
                        min_hours: number;
                        ttl_hours: number;
                        /** @enum {unknown} */
                        ttl_source: "env" | "global" | "role" | "user";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAuthSettingsSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    inactivity_hours?: number | null;
                    ttl_hours?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        env_inactivity_hours: number;
                        env_ttl_hours: number;
                        inactivity_hours: number;
                        /** @enum {unknown} */
                        inactivity_source: "env" | "global" | "role" | "user";
                        max_hours: number;
                        min_hours: number;
                        ttl_hours: number;
                        /** @enum {unknown} */
                        ttl_source: "env" | "global" | "role" | "user";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthSignIns: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        at: string;
                        ip_address: string | null;
                        /** @description password, passkey, oidc, ldap or header. */
                        method: string;
                        reason: string | null;
                        /** @enum {unknown} */
                        result: "signed_in" | "failed" | "locked_out";
                        user_agent: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        auth_enabled: boolean;
                        header_user: string | null;
                        ldap_enabled: boolean;
                        /** @enum {unknown} */
                        mode: "disabled" | "bootstrap" | "enabled";
                        oidc_enabled: boolean;
                        oidc_providers: {
                            label: string;
                            name: string;
                        }[];
                        users_exist: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        secret: string;
                        url: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthTotpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthTotpRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email?: string | null;
                    /** @default user */
                    global_role?: string;
                    password: string;
                    username: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAuthUsersPrincipalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchAuthUsersPrincipalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    disabled?: boolean;
                    display_name?: string | null;
                    email?: string | null;
                    global_role?: string;
                    password?: string;
                    phone?: string | null;
                    /** @default false */
                    revoke_api_keys?: boolean;
                    session_inactivity_hours?: number | null;
                    session_ttl_hours?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of valid API keys of this account. A new password does not revoke them. */
                        api_keys: number;
                        auth_provider: string;
                        disabled: boolean;
                        display_name: string | null;
                        email: string | null;
                        global_role: string;
                        /** Format: uuid */
                        id: string;
                        /** @description A local account without a password: the person has not used the link of the invitation yet. */
                        invited: boolean;
                        kind: string;
                        last_login_at: string | null;
                        /** @description Your role requires a second factor that you have not set up. */
                        must_enrol?: boolean;
                        phone: string | null;
                        preferences: {
                            [key: string]: unknown;
                        };
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: string[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        username: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postAuthUsersPrincipalIdInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        expires_at: string;
                        /** @description Path of the console; it is shown only once. */
                        link: string;
                        /** PrincipalOut */
                        user: {
                            /** @description Number of valid API keys of this account. A new password does not revoke them. */
                            api_keys: number;
                            auth_provider: string;
                            disabled: boolean;
                            display_name: string | null;
                            email: string | null;
                            global_role: string;
                            /** Format: uuid */
                            id: string;
                            /** @description A local account without a password: the person has not used the link of the invitation yet. */
                            invited: boolean;
                            kind: string;
                            last_login_at: string | null;
                            /** @description Your role requires a second factor that you have not set up. */
                            must_enrol?: boolean;
                            phone: string | null;
                            preferences: {
                                [key: string]: unknown;
                            };
                            role_reason: string | null;
                            /** @description local, or the provider that gave the role. */
                            role_source: string;
                            scopes: string[];
                            session_inactivity_hours: number | null;
                            session_ttl_hours: number | null;
                            username: string;
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAuthUsersPrincipalIdSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthUsersPrincipalIdSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        current: boolean;
                        /** Format: uuid */
                        id: string;
                        ip_address: string | null;
                        /** Format: date-time */
                        last_seen_at: string;
                        /** @description How the person signed in: password, passkey, oidc, ldap or header. */
                        method: string;
                        user_agent: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteAuthUsersPrincipalIdSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getAuthUsersPrincipalIdSignIns: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        at: string;
                        ip_address: string | null;
                        /** @description password, passkey, oidc, ldap or header. */
                        method: string;
                        reason: string | null;
                        /** @enum {unknown} */
                        result: "signed_in" | "failed" | "locked_out";
                        user_agent: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getCustomFields: {
        parameters: {
            query?: {
                applies_to?: string;
                library_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        applies_to: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        data_type: "string" | "integer" | "float" | "boolean" | "date" | "url" | "select";
                        facetable: boolean;
                        /** Format: uuid */
                        id: string;
                        label: string;
                        library_ids: string[];
                        name: string;
                        required: boolean;
                        select_options: string[] | null;
                        sortable: boolean;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postCustomFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    applies_to?: string[];
                    /** @enum {unknown} */
                    data_type: "string" | "integer" | "float" | "boolean" | "date" | "url" | "select";
                    facetable?: boolean;
                    label: string;
                    library_ids?: string[];
                    /** @description lower-case letters, digits and underscores, starting with a letter, at most 63 characters */
                    name: string;
                    required?: boolean;
                    select_options?: string[] | null;
                    sortable?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        applies_to: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        data_type: "string" | "integer" | "float" | "boolean" | "date" | "url" | "select";
                        facetable: boolean;
                        /** Format: uuid */
                        id: string;
                        label: string;
                        library_ids: string[];
                        name: string;
                        required: boolean;
                        select_options: string[] | null;
                        sortable: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteCustomFieldsFieldId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                field_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchCustomFieldsFieldId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                field_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    applies_to?: string[];
                    /** @enum {unknown} */
                    data_type?: "string" | "integer" | "float" | "boolean" | "date" | "url" | "select";
                    facetable?: boolean;
                    label?: string;
                    library_ids?: string[];
                    /** @description lower-case letters, digits and underscores, starting with a letter, at most 63 characters */
                    name?: string;
                    required?: boolean;
                    select_options?: string[] | null;
                    sortable?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        applies_to: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** @enum {unknown} */
                        data_type: "string" | "integer" | "float" | "boolean" | "date" | "url" | "select";
                        facetable: boolean;
                        /** Format: uuid */
                        id: string;
                        label: string;
                        library_ids: string[];
                        name: string;
                        required: boolean;
                        select_options: string[] | null;
                        sortable: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getCustomReports: {
        parameters: {
            query?: {
                owner_principal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aggregates: string[];
                        columns: string[];
                        /** Format: date-time */
                        created_at: string;
                        format: string;
                        group_by: string[];
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        query: string;
                        shared: boolean;
                        sort: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postCustomReports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description count, or sum:, min: or max: and a column */
                    aggregates?: string[];
                    columns?: string[];
                    /** @enum {unknown} */
                    format?: "json" | "csv" | "ndjson" | "xml" | "xlsx";
                    group_by?: string[];
                    name: string;
                    query?: string;
                    shared?: boolean;
                    sort?: (string[] | string) | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aggregates: string[];
                        columns: string[];
                        /** Format: date-time */
                        created_at: string;
                        format: string;
                        group_by: string[];
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        query: string;
                        shared: boolean;
                        sort: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getCustomReportsReportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aggregates: string[];
                        columns: string[];
                        /** Format: date-time */
                        created_at: string;
                        format: string;
                        group_by: string[];
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        query: string;
                        shared: boolean;
                        sort: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteCustomReportsReportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchCustomReportsReportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description count, or sum:, min: or max: and a column */
                    aggregates?: string[];
                    columns?: string[];
                    /** @enum {unknown} */
                    format?: "json" | "csv" | "ndjson" | "xml" | "xlsx";
                    group_by?: string[];
                    name?: string;
                    query?: string;
                    shared?: boolean;
                    sort?: (string[] | string) | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aggregates: string[];
                        columns: string[];
                        /** Format: date-time */
                        created_at: string;
                        format: string;
                        group_by: string[];
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        query: string;
                        shared: boolean;
                        sort: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postCustomReportsReportIdCopy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aggregates: string[];
                        columns: string[];
                        /** Format: date-time */
                        created_at: string;
                        format: string;
                        group_by: string[];
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        query: string;
                        shared: boolean;
                        sort: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postCustomReportsReportIdExport: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                format?: "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
                limit?: number;
            };
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                        download_url: string | null;
                        downloadable: boolean;
                        error: string | null;
                        expires_at: string | null;
                        file_name: string;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        gzip: boolean;
                        /** Format: uuid */
                        id: string;
                        owner_name: string;
                        progress: {
                            bytes: number;
                            rows: number;
                            total: number | null;
                        } | null;
                        purged_at: string | null;
                        report_definition_id: string | null;
                        row_count: number | null;
                        sha256: string | null;
                        source: {
                            [key: string]: unknown;
                        };
                        started_at: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "complete" | "failed" | "cancelled";
                        title: string;
                        /** @enum {unknown} */
                        triggered_by: "manual" | "schedule";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getCustomReportsReportIdRun: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                cursor?: string;
                format?: "json" | "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        columns: string[];
                        count: number;
                        fields: {
                            hidden: boolean;
                            key: string;
                            label: string;
                            sortable: boolean;
                            /** @enum {unknown} */
                            type: "text" | "integer" | "bytes" | "decimal" | "time" | "date" | "boolean" | "list";
                        }[];
                        has_more: boolean;
                        limit: number;
                        next_cursor: string | null;
                        offset: number;
                        report: {
                            columns: string[];
                            id: string | null;
                            name: string;
                        };
                        rows: {
                            [key: string]: unknown;
                        }[];
                        sums: {
                            [key: string]: number;
                        };
                        total: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getCustomReportsColumns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aggregates: string[];
                        core: string[];
                        custom_fields: string[];
                        formats: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postCustomReportsPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description count, or sum:, min: or max: and a column */
                    aggregates?: string[];
                    columns?: string[];
                    group_by?: string[];
                    limit?: number;
                    query?: string;
                    sort?: (string[] | string) | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        columns: string[];
                        count: number;
                        fields: {
                            hidden: boolean;
                            key: string;
                            label: string;
                            sortable: boolean;
                            /** @enum {unknown} */
                            type: "text" | "integer" | "bytes" | "decimal" | "time" | "date" | "boolean" | "list";
                        }[];
                        has_more: boolean;
                        limit: number;
                        next_cursor: string | null;
                        offset: number;
                        report: {
                            columns: string[];
                            id: string | null;
                            name: string;
                        };
                        rows: {
                            [key: string]: unknown;
                        }[];
                        sums: {
                            [key: string]: number;
                        };
                        total: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postCustomReportsValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description count, or sum:, min: or max: and a column */
                    aggregates?: string[];
                    columns?: string[];
                    group_by?: string[];
                    query?: string;
                    sort?: (string[] | string) | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: ({
                            code: string;
                            /** @enum {string} */
                            error: "parse_error";
                            position: number;
                            reason: string;
                        } | {
                            column: string;
                            /** @enum {string} */
                            error: "column_error";
                            message: string;
                        })[];
                        ok: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDirectoryObjects: {
        parameters: {
            query?: {
                include_deleted?: boolean;
                kind?: "user" | "group" | "computer" | "other";
                limit?: number;
                offset?: number;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        limit: number;
                        objects: {
                            deleted: boolean;
                            disabled: boolean;
                            display_name: string | null;
                            distinguished_name: string;
                            domain: string | null;
                            /** @enum {unknown} */
                            kind: "user" | "group" | "computer" | "other";
                            /** Format: date-time */
                            last_synced_at: string;
                            member_of_sids: string[];
                            object_guid: string;
                            object_sid: string | null;
                            sam_account_name: string | null;
                            user_principal_name: string | null;
                        }[];
                        offset: number;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDirectoryStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        computers: number;
                        enabled: boolean;
                        groups: number;
                        last_synced_at: string | null;
                        other: number;
                        sources: {
                            label: string;
                            last_error: string | null;
                            last_full_at: string | null;
                            last_synced_at: string | null;
                        }[];
                        users: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postDirectorySync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        already_queued?: boolean;
                        job_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDuplicatesGroups: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                tier?: "proven" | "sampled" | "similar";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: {
                            copies: number;
                            decided_by: number | null;
                            file_category: string;
                            frees: number;
                            /** Format: uuid */
                            item_id: string;
                            key: string;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            offline_copies: number;
                            rel_path: string;
                            size: number;
                            /** @enum {unknown} */
                            tier: "proven" | "sampled" | "similar";
                            wasted: number;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDuplicatesGroupsKey: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        copies: {
                            /** @enum {unknown} */
                            action: "keep" | "remove" | "unproven" | "similar" | "shares_storage" | "offline";
                            annotated: boolean;
                            decided_by: number | null;
                            /** Format: uuid */
                            item_id: string;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            /** Format: date-time */
                            mtime: string;
                            rel_path: string;
                            size: number;
                        }[];
                        has_more: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putDuplicatesGroupsKeyKeep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    item_id: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDuplicatesPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Removed files with tags or notes. */
                        annotated: number;
                        /** @description Groups decided by hand. */
                        chosen: number;
                        comparing: {
                            /** Format: uuid */
                            job_id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            state: string;
                        } | null;
                        /** @description How many groups each rule decides. */
                        decided: number[];
                        /** @description Identifies what would be kept and removed. Send it with the review. */
                        digest: string;
                        /** @description Bytes that the script frees. Only proven copies count. */
                        frees: number;
                        kept: number;
                        number: number;
                        /** @description Libraries that cannot be reached. Their files are neither kept nor removed. */
                        offline: string[];
                        proof: {
                            /** Format: uuid */
                            job_id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            state: string;
                        } | null;
                        removed: number;
                        /** @description The plan is what was reviewed last, so that a script can be written. */
                        reviewed: boolean;
                        reviewed_at: string | null;
                        reviewed_by: string | null;
                        rules: ({
                            /** @enum {string} */
                            kind: "library";
                            /** @description Most wanted first. */
                            library_ids: string[];
                        } | {
                            /**
                             * @description Keeps copies that do not match.
                             * @default false
                             */
                            avoid?: boolean;
                            /** @enum {string} */
                            kind: "path";
                            /** @description Matches library/path. * stands for any characters, ? for one. */
                            pattern: string;
                        } | {
                            /** @enum {unknown} */
                            kind: "oldest" | "newest" | "shortest_path" | "annotated" | "resolution";
                        })[];
                        tiers: {
                            proven: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                            sampled: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                            similar: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                        };
                        /** @description Groups that no rule decides; the first path is kept. */
                        undecided: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putDuplicatesPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rules: ({
                        /** @enum {string} */
                        kind: "library";
                        /** @description Most wanted first. */
                        library_ids: string[];
                    } | {
                        /**
                         * @description Keeps copies that do not match.
                         * @default false
                         */
                        avoid?: boolean;
                        /** @enum {string} */
                        kind: "path";
                        /** @description Matches library/path. * stands for any characters, ? for one. */
                        pattern: string;
                    } | {
                        /** @enum {unknown} */
                        kind: "oldest" | "newest" | "shortest_path" | "annotated" | "resolution";
                    })[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Removed files with tags or notes. */
                        annotated: number;
                        /** @description Groups decided by hand. */
                        chosen: number;
                        comparing: {
                            /** Format: uuid */
                            job_id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            state: string;
                        } | null;
                        /** @description How many groups each rule decides. */
                        decided: number[];
                        /** @description Identifies what would be kept and removed. Send it with the review. */
                        digest: string;
                        /** @description Bytes that the script frees. Only proven copies count. */
                        frees: number;
                        kept: number;
                        number: number;
                        /** @description Libraries that cannot be reached. Their files are neither kept nor removed. */
                        offline: string[];
                        proof: {
                            /** Format: uuid */
                            job_id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            state: string;
                        } | null;
                        removed: number;
                        /** @description The plan is what was reviewed last, so that a script can be written. */
                        reviewed: boolean;
                        reviewed_at: string | null;
                        reviewed_by: string | null;
                        rules: ({
                            /** @enum {string} */
                            kind: "library";
                            /** @description Most wanted first. */
                            library_ids: string[];
                        } | {
                            /**
                             * @description Keeps copies that do not match.
                             * @default false
                             */
                            avoid?: boolean;
                            /** @enum {string} */
                            kind: "path";
                            /** @description Matches library/path. * stands for any characters, ? for one. */
                            pattern: string;
                        } | {
                            /** @enum {unknown} */
                            kind: "oldest" | "newest" | "shortest_path" | "annotated" | "resolution";
                        })[];
                        tiers: {
                            proven: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                            sampled: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                            similar: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                        };
                        /** @description Groups that no rule decides; the first path is kept. */
                        undecided: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postDuplicatesPlanExport: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                format?: "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                        download_url: string | null;
                        downloadable: boolean;
                        error: string | null;
                        expires_at: string | null;
                        file_name: string;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        gzip: boolean;
                        /** Format: uuid */
                        id: string;
                        owner_name: string;
                        progress: {
                            bytes: number;
                            rows: number;
                            total: number | null;
                        } | null;
                        purged_at: string | null;
                        report_definition_id: string | null;
                        row_count: number | null;
                        sha256: string | null;
                        source: {
                            [key: string]: unknown;
                        };
                        started_at: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "complete" | "failed" | "cancelled";
                        title: string;
                        /** @enum {unknown} */
                        triggered_by: "manual" | "schedule";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDuplicatesPlanList: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                format?: "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postDuplicatesPlanReview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    digest: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Removed files with tags or notes. */
                        annotated: number;
                        /** @description Groups decided by hand. */
                        chosen: number;
                        comparing: {
                            /** Format: uuid */
                            job_id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            state: string;
                        } | null;
                        /** @description How many groups each rule decides. */
                        decided: number[];
                        /** @description Identifies what would be kept and removed. Send it with the review. */
                        digest: string;
                        /** @description Bytes that the script frees. Only proven copies count. */
                        frees: number;
                        kept: number;
                        number: number;
                        /** @description Libraries that cannot be reached. Their files are neither kept nor removed. */
                        offline: string[];
                        proof: {
                            /** Format: uuid */
                            job_id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            state: string;
                        } | null;
                        removed: number;
                        /** @description The plan is what was reviewed last, so that a script can be written. */
                        reviewed: boolean;
                        reviewed_at: string | null;
                        reviewed_by: string | null;
                        rules: ({
                            /** @enum {string} */
                            kind: "library";
                            /** @description Most wanted first. */
                            library_ids: string[];
                        } | {
                            /**
                             * @description Keeps copies that do not match.
                             * @default false
                             */
                            avoid?: boolean;
                            /** @enum {string} */
                            kind: "path";
                            /** @description Matches library/path. * stands for any characters, ? for one. */
                            pattern: string;
                        } | {
                            /** @enum {unknown} */
                            kind: "oldest" | "newest" | "shortest_path" | "annotated" | "resolution";
                        })[];
                        tiers: {
                            proven: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                            sampled: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                            similar: {
                                frees: number;
                                groups: number;
                                removed: number;
                            };
                        };
                        /** @description Groups that no rule decides; the first path is kept. */
                        undecided: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postDuplicatesProve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteDuplicatesProve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getDuplicatesScript: {
        parameters: {
            query?: {
                /** @description Paths as this server sees them, or as the owner of the files does. */
                paths?: "server" | "native";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postDuplicatesSimilar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getExports: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        exports: {
                            canned_report_key: string | null;
                            /** Format: date-time */
                            created_at: string;
                            delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                            download_url: string | null;
                            downloadable: boolean;
                            error: string | null;
                            expires_at: string | null;
                            file_name: string;
                            file_size_bytes: number | null;
                            finished_at: string | null;
                            /** @enum {unknown} */
                            format: "csv" | "ndjson" | "xml" | "xlsx";
                            gzip: boolean;
                            /** Format: uuid */
                            id: string;
                            owner_name: string;
                            progress: {
                                bytes: number;
                                rows: number;
                                total: number | null;
                            } | null;
                            purged_at: string | null;
                            report_definition_id: string | null;
                            row_count: number | null;
                            sha256: string | null;
                            source: {
                                [key: string]: unknown;
                            };
                            started_at: string | null;
                            /** @enum {unknown} */
                            status: "queued" | "running" | "complete" | "failed" | "cancelled";
                            title: string;
                            /** @enum {unknown} */
                            triggered_by: "manual" | "schedule";
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Start a CSV file with a byte order mark, for Excel
                     * @default false
                     */
                    bom?: boolean;
                    /** @enum {unknown} */
                    format?: "csv" | "ndjson" | "xml" | "xlsx";
                    /**
                     * @description Compress the file. XLSX is compressed already.
                     * @default false
                     */
                    gzip?: boolean;
                    source: {
                        columns?: string[];
                        /** @enum {string} */
                        kind: "search";
                        params: {
                            album?: string[];
                            artist?: string[];
                            author?: string[];
                            camera?: string[];
                            extension?: string[];
                            file_category?: string[];
                            file_group?: string[];
                            geo_bottom_lat?: number;
                            geo_lat?: number;
                            geo_left_lng?: number;
                            geo_lng?: number;
                            geo_radius_m?: number;
                            geo_right_lng?: number;
                            /** @enum {unknown} */
                            geo_sort?: "asc" | "desc";
                            geo_top_lat?: number;
                            has_error?: boolean;
                            /** @description The first 8 to 64 hexadecimal digits of a quick or content hash */
                            hash?: string;
                            /** @default false */
                            include_sidecars?: boolean;
                            language?: string[];
                            lens?: string[];
                            library?: string[];
                            mtime_gte?: number;
                            mtime_lte?: number;
                            path?: string;
                            principal?: string;
                            /** @default  */
                            q?: string;
                            resolution?: string[];
                            /** @enum {unknown} */
                            search_in?: "all" | "content" | "names";
                            /**
                             * @description How much meaning counts beside words: 0 is words only, 1 is meaning only. Applies to searches by relevance in all fields. Ignored while search by meaning is off.
                             * @default 0
                             */
                            semantic?: number;
                            /** Format: uuid */
                            sidecar_of?: string;
                            size_gte?: number;
                            size_lte?: number;
                            /** @description relevance, newest, or one of title, name, year, size, mtime, taken (when a photo was taken), added (when the catalog first saw it), path, duration, pages and width, optionally followed by :asc or :desc */
                            sort?: string;
                            /** @enum {unknown} */
                            status?: "active" | "missing" | "trashed" | "any";
                            tags?: string;
                            /** @description When a photo was taken, by the clock of its camera as if it were UTC. */
                            taken_gte?: number;
                            taken_lte?: number;
                            world_readable?: boolean;
                            year_gte?: number;
                            year_lte?: number;
                        };
                    } | {
                        columns?: string[];
                        /** @enum {string} */
                        kind: "folder";
                        /** Format: uuid */
                        library_id: string;
                        path?: string;
                        /** @default true */
                        recursive?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                        download_url: string | null;
                        downloadable: boolean;
                        error: string | null;
                        expires_at: string | null;
                        file_name: string;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        gzip: boolean;
                        /** Format: uuid */
                        id: string;
                        owner_name: string;
                        progress: {
                            bytes: number;
                            rows: number;
                            total: number | null;
                        } | null;
                        purged_at: string | null;
                        report_definition_id: string | null;
                        row_count: number | null;
                        sha256: string | null;
                        source: {
                            [key: string]: unknown;
                        };
                        started_at: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "complete" | "failed" | "cancelled";
                        title: string;
                        /** @enum {unknown} */
                        triggered_by: "manual" | "schedule";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getExportsExportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                        download_url: string | null;
                        downloadable: boolean;
                        error: string | null;
                        expires_at: string | null;
                        file_name: string;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        gzip: boolean;
                        /** Format: uuid */
                        id: string;
                        owner_name: string;
                        progress: {
                            bytes: number;
                            rows: number;
                            total: number | null;
                        } | null;
                        purged_at: string | null;
                        report_definition_id: string | null;
                        row_count: number | null;
                        sha256: string | null;
                        source: {
                            [key: string]: unknown;
                        };
                        started_at: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "complete" | "failed" | "cancelled";
                        title: string;
                        /** @enum {unknown} */
                        triggered_by: "manual" | "schedule";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteExportsExportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postExportsExportIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                        download_url: string | null;
                        downloadable: boolean;
                        error: string | null;
                        expires_at: string | null;
                        file_name: string;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        gzip: boolean;
                        /** Format: uuid */
                        id: string;
                        owner_name: string;
                        progress: {
                            bytes: number;
                            rows: number;
                            total: number | null;
                        } | null;
                        purged_at: string | null;
                        report_definition_id: string | null;
                        row_count: number | null;
                        sha256: string | null;
                        source: {
                            [key: string]: unknown;
                        };
                        started_at: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "complete" | "failed" | "cancelled";
                        title: string;
                        /** @enum {unknown} */
                        triggered_by: "manual" | "schedule";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getExportsExportIdDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getFsBrowse: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dirs: {
                            name: string;
                            network: boolean;
                            path: string;
                            readable: boolean;
                        }[];
                        parent: string | null;
                        path: string;
                        roots: string[];
                        truncated: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getFsCount: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        complete: boolean;
                        dirs: {
                            complete: boolean;
                            files: number;
                            name: string;
                        }[];
                        files: number;
                        left_out: {
                            by: string[];
                            files: number;
                        }[];
                        path: string;
                        unreadable: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                        version: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getIntegrity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        libraries: {
                            bytes: number;
                            /** @description Files with a content hash. */
                            files: number;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            /** @description Read again in the last 30 days. */
                            month: number;
                            /** @description Not read since they were first hashed. */
                            never: number;
                            older: number;
                            oldest: string | null;
                            /** @description 31 to 90 days ago. */
                            quarter: number;
                            /** @description Bytes read again in the last 365 days. */
                            verified_bytes: number;
                            /** @description Share of the files read again in the last 365 days. */
                            verified_percent: number;
                            /** @description 91 to 365 days ago. */
                            year: number;
                        }[];
                        open_events: number;
                        settings: {
                            bytes_left_today: number;
                            bytes_per_day: number;
                            /** @description Off until an administrator switches it on. */
                            enabled: boolean;
                            /** @description A file is read again after so many days. */
                            every_days: number;
                            library_ids: string[] | null;
                            /** @description Average speed of reading in MB/s. */
                            rate_mbps: number;
                        } | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getIntegrityEvents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                state?: "open" | "closed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            closed_at: string | null;
                            closed_by: string | null;
                            expected_hash: string;
                            /** Format: date-time */
                            found_at: string;
                            found_hash: string;
                            /** @description Up to 20 files that still have the good content. */
                            good_copies: {
                                /** Format: uuid */
                                item_id: string;
                                last_verified_at: string | null;
                                library: string;
                                /** Format: uuid */
                                library_id: string;
                                rel_path: string;
                            }[];
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            item_id: string;
                            /** Format: date-time */
                            last_read_at: string;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            rel_path: string;
                            size: number;
                            /** @enum {unknown} */
                            state: "open" | "restored" | "replaced" | "accepted" | "gone";
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postIntegrityEventsEventIdAccept: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        closed_at: string | null;
                        closed_by: string | null;
                        expected_hash: string;
                        /** Format: date-time */
                        found_at: string;
                        found_hash: string;
                        /** @description Up to 20 files that still have the good content. */
                        good_copies: {
                            /** Format: uuid */
                            item_id: string;
                            last_verified_at: string | null;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            rel_path: string;
                        }[];
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        item_id: string;
                        /** Format: date-time */
                        last_read_at: string;
                        library: string;
                        /** Format: uuid */
                        library_id: string;
                        rel_path: string;
                        size: number;
                        /** @enum {unknown} */
                        state: "open" | "restored" | "replaced" | "accepted" | "gone";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putIntegritySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    bytes_per_day: number;
                    /** @description Off until an administrator switches it on. */
                    enabled: boolean;
                    /** @description A file is read again after so many days. */
                    every_days: number;
                    library_ids: string[] | null;
                    /** @description Average speed of reading in MB/s. */
                    rate_mbps: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        libraries: {
                            bytes: number;
                            /** @description Files with a content hash. */
                            files: number;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            /** @description Read again in the last 30 days. */
                            month: number;
                            /** @description Not read since they were first hashed. */
                            never: number;
                            older: number;
                            oldest: string | null;
                            /** @description 31 to 90 days ago. */
                            quarter: number;
                            /** @description Bytes read again in the last 365 days. */
                            verified_bytes: number;
                            /** @description Share of the files read again in the last 365 days. */
                            verified_percent: number;
                            /** @description 91 to 365 days ago. */
                            year: number;
                        }[];
                        open_events: number;
                        settings: {
                            bytes_left_today: number;
                            bytes_per_day: number;
                            /** @description Off until an administrator switches it on. */
                            enabled: boolean;
                            /** @description A file is read again after so many days. */
                            every_days: number;
                            library_ids: string[] | null;
                            /** @description Average speed of reading in MB/s. */
                            rate_mbps: number;
                        } | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItems: {
        parameters: {
            query?: {
                category?: string[];
                cursor?: string;
                extension?: string[];
                group?: string[];
                include?: "metadata";
                library_id?: string[];
                limit?: number;
                /** @description Prefix of the relative path. */
                rel_path?: string;
                sidecar_of?: string;
                status?: ("active" | "missing" | "trashed" | "any")[];
                tag?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            content_hash: string | null;
                            deleted_at: string | null;
                            dev: number | null;
                            extension: string | null;
                            external_ids: {
                                [key: string]: unknown;
                            };
                            file_category: string;
                            file_group: string;
                            filename: string;
                            /** Format: date-time */
                            first_seen: string;
                            has_text: boolean;
                            has_thumb: boolean;
                            hash_error: string | null;
                            /** Format: uuid */
                            id: string;
                            inode: number | null;
                            /** Format: date-time */
                            last_changed: string;
                            /** Format: date-time */
                            last_seen: string;
                            last_verified_at: string | null;
                            /** Format: uuid */
                            library_id: string;
                            library_name: string;
                            library_share_prefix: string | null;
                            library_share_unc: string | null;
                            metadata?: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            mtime: string;
                            native_path: string | null;
                            nlink: number | null;
                            /** @description The absolute path on the machine that scans it. */
                            path: string;
                            policy_version: string | null;
                            quick_hash: string | null;
                            rel_path: string;
                            /** @enum {unknown} */
                            share_source: "manual" | "mount-map" | "none";
                            share_unc: string | null;
                            share_url: string | null;
                            sidecar_of: string | null;
                            size: number;
                            source_agent_id: string | null;
                            /** @enum {unknown} */
                            status: "active" | "missing" | "trashed";
                            symlink_target: string | null;
                            tags: string[];
                            thumb_version: string | null;
                            title: string | null;
                            /** @description Whether its contents wait to be read. */
                            unread: boolean;
                            user_metadata: {
                                [key: string]: unknown;
                            };
                            year: number | null;
                        }[];
                        limit: number;
                        next_cursor: string | null;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        content_hash: string | null;
                        deleted_at: string | null;
                        dev: number | null;
                        extension: string | null;
                        external_ids: {
                            [key: string]: unknown;
                        };
                        file_category: string;
                        file_group: string;
                        filename: string;
                        /** Format: date-time */
                        first_seen: string;
                        has_text: boolean;
                        has_thumb: boolean;
                        hash_error: string | null;
                        /** Format: uuid */
                        id: string;
                        inode: number | null;
                        /** Format: date-time */
                        last_changed: string;
                        /** Format: date-time */
                        last_seen: string;
                        last_verified_at: string | null;
                        /** Format: uuid */
                        library_id: string;
                        library_name: string;
                        library_share_prefix: string | null;
                        library_share_unc: string | null;
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        mtime: string;
                        native_path: string | null;
                        nlink: number | null;
                        /** @description The absolute path on the machine that scans it. */
                        path: string;
                        policy_version: string | null;
                        quick_hash: string | null;
                        rel_path: string;
                        /** @enum {unknown} */
                        share_source: "manual" | "mount-map" | "none";
                        share_unc: string | null;
                        share_url: string | null;
                        sidecar_of: string | null;
                        size: number;
                        source_agent_id: string | null;
                        /** @enum {unknown} */
                        status: "active" | "missing" | "trashed";
                        symlink_target: string | null;
                        tags: string[];
                        thumb_version: string | null;
                        title: string | null;
                        /** @description Whether its contents wait to be read. */
                        unread: boolean;
                        user_metadata: {
                            [key: string]: unknown;
                        };
                        year: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteItemsItemId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchItemsItemId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    add_tags?: string[];
                    external_ids?: {
                        [key: string]: string | number | null;
                    } | null;
                    remove_tags?: string[];
                    tags?: string[] | null;
                    title?: string | null;
                    user_metadata?: {
                        [key: string]: unknown;
                    } | null;
                    year?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        content_hash: string | null;
                        deleted_at: string | null;
                        dev: number | null;
                        extension: string | null;
                        external_ids: {
                            [key: string]: unknown;
                        };
                        file_category: string;
                        file_group: string;
                        filename: string;
                        /** Format: date-time */
                        first_seen: string;
                        has_text: boolean;
                        has_thumb: boolean;
                        hash_error: string | null;
                        /** Format: uuid */
                        id: string;
                        inode: number | null;
                        /** Format: date-time */
                        last_changed: string;
                        /** Format: date-time */
                        last_seen: string;
                        last_verified_at: string | null;
                        /** Format: uuid */
                        library_id: string;
                        library_name: string;
                        library_share_prefix: string | null;
                        library_share_unc: string | null;
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        mtime: string;
                        native_path: string | null;
                        nlink: number | null;
                        /** @description The absolute path on the machine that scans it. */
                        path: string;
                        policy_version: string | null;
                        quick_hash: string | null;
                        rel_path: string;
                        /** @enum {unknown} */
                        share_source: "manual" | "mount-map" | "none";
                        share_unc: string | null;
                        share_url: string | null;
                        sidecar_of: string | null;
                        size: number;
                        source_agent_id: string | null;
                        /** @enum {unknown} */
                        status: "active" | "missing" | "trashed";
                        symlink_target: string | null;
                        tags: string[];
                        thumb_version: string | null;
                        title: string | null;
                        /** @description Whether its contents wait to be read. */
                        unread: boolean;
                        user_metadata: {
                            [key: string]: unknown;
                        };
                        year: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsItemIdAttach: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    to: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        item_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdCopies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        capped: boolean;
                        copies: {
                            /** @description True for a hard link to the same file. */
                            hard_link: boolean;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            last_seen: string;
                            /** Format: uuid */
                            library_id: string;
                            library_name: string;
                            native_path: string | null;
                            path: string;
                            rel_path: string;
                            size: number;
                        }[];
                        count: number;
                        /** Format: uuid */
                        id: string;
                        /**
                         * @description How copies were found: by content hash, by quick hash and size, or not at all because there is no hash yet.
                         * @enum {unknown}
                         */
                        match: "content" | "quick" | "none";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsItemIdDigests: {
        parameters: {
            query?: {
                /** @description Comma-separated: md5, sha1, sha256, sha512. */
                algorithms?: string;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        computed: string[];
                        digests: {
                            [key: string]: string;
                        };
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdFile: {
        parameters: {
            query?: {
                /** @description Send it as an attachment even if a browser can show it. */
                download?: boolean;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdHistory: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            actor: string | null;
                            after: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            at: string;
                            before: {
                                [key: string]: unknown;
                            };
                            /** Format: uuid */
                            id: string;
                            principal_id: string | null;
                            /** @enum {unknown} */
                            source: "user" | "extractor" | "sidecar";
                        }[];
                        limit: number;
                        next_cursor: string | null;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdPagesPage: {
        parameters: {
            query?: {
                width?: number;
            };
            header?: never;
            path: {
                item_id: string;
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdPagesPageWords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        words: {
                            h: number;
                            text: string;
                            w: number;
                            x: number;
                            y: number;
                        }[];
                    };
                };
            };
            /** @description Default Response */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdPassages: {
        parameters: {
            query?: {
                from?: number;
                limit?: number;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passages: {
                            chunk_no: number;
                            end: number;
                            heading: string | null;
                            /** Format: uuid */
                            item_id: string;
                            page: number | null;
                            /** @description Position in the text that GET /items/{item_id}/text returns. */
                            start: number;
                            text: string;
                            /** @description The passage is longer than this text. */
                            truncated: boolean;
                        }[];
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access: {
                            execute: boolean;
                            principal: {
                                /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                id: string;
                                /** @enum {unknown} */
                                kind: "user" | "group" | "well_known" | "unmapped";
                                name: string | null;
                                well_known?: string;
                            };
                            read: {
                                allowed: boolean;
                                folder: {
                                    path: string | null;
                                } | null;
                                masked: boolean;
                                sentence: string;
                                through: {
                                    /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                    id: string;
                                    /** @enum {unknown} */
                                    kind: "user" | "group" | "well_known" | "unmapped";
                                    name: string | null;
                                    well_known?: string;
                                } | null;
                            };
                            write: boolean;
                        }[];
                        access_more: number;
                        collected_at: string | null;
                        history: {
                            /** Format: date-time */
                            changed_at: string;
                            folder: string | null;
                            /** @description People of this machine and the directory who can read since. */
                            gained: number;
                            lines: {
                                principal: {
                                    /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                    id: string;
                                    /** @enum {unknown} */
                                    kind: "user" | "group" | "well_known" | "unmapped";
                                    name: string | null;
                                    well_known?: string;
                                };
                                /** @enum {unknown} */
                                sign: "+" | "-";
                                /** @enum {unknown} */
                                type: "allow" | "deny";
                                verbs: ("read" | "write" | "execute" | "append" | "delete" | "delete_child" | "list" | "read_attr" | "write_attr" | "read_perms" | "change_perms" | "take_ownership" | "full")[];
                            }[];
                            /** @description People of this machine and the directory who no longer can. */
                            lost: number;
                            owner: {
                                after: {
                                    /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                    id: string;
                                    /** @enum {unknown} */
                                    kind: "user" | "group" | "well_known" | "unmapped";
                                    name: string | null;
                                    well_known?: string;
                                };
                                before: {
                                    /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                    id: string;
                                    /** @enum {unknown} */
                                    kind: "user" | "group" | "well_known" | "unmapped";
                                    name: string | null;
                                    well_known?: string;
                                };
                            } | null;
                            summary: string;
                        }[];
                        /** Format: uuid */
                        item_id: string;
                        people: {
                            can_read: number;
                            cannot_read: number;
                        } | null;
                        record: {
                            entries: {
                                container_inherit: boolean;
                                inherit_only: boolean;
                                inherited: boolean;
                                no_propagate: boolean;
                                object_inherit: boolean;
                                order_index: number;
                                principal: {
                                    /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                    id: string;
                                    /** @enum {unknown} */
                                    kind: "user" | "group" | "well_known" | "unmapped";
                                    name: string | null;
                                    well_known?: string;
                                };
                                raw_mask: number;
                                /** @enum {unknown} */
                                scope: "this" | "subtree" | "dir_default";
                                /** @enum {unknown} */
                                source: "local" | "share";
                                /** @enum {unknown} */
                                type: "allow" | "deny";
                                verbs: ("read" | "write" | "execute" | "append" | "delete" | "delete_child" | "list" | "read_attr" | "write_attr" | "read_perms" | "change_perms" | "take_ownership" | "full")[];
                            }[];
                            /** @enum {unknown} */
                            fidelity: "full_native" | "synthesized_from_mode" | "posix_mode_only" | "unavailable";
                            group: {
                                /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                id: string;
                                /** @enum {unknown} */
                                kind: "user" | "group" | "well_known" | "unmapped";
                                name: string | null;
                                well_known?: string;
                            };
                            mode: string;
                            owner: {
                                /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                id: string;
                                /** @enum {unknown} */
                                kind: "user" | "group" | "well_known" | "unmapped";
                                name: string | null;
                                well_known?: string;
                            };
                            posture: {
                                dacl_canonical: boolean;
                                dacl_present: boolean;
                                generic_mapping_applied: boolean;
                            };
                        } | null;
                        since: string | null;
                        /**
                         * @description Why there is no record, if there is none.
                         * @enum {unknown}
                         */
                        state: "collected" | "off" | "symlink" | "not_yet";
                        world_readable: boolean | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdPermissionsCheck: {
        parameters: {
            query: {
                /** @description A user or group name of this machine or a directory, `uid:1000`, `gid:100`, a SID, or `everyone`. */
                principal: string;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        execute: {
                            allowed: boolean;
                            folder: {
                                path: string | null;
                            } | null;
                            masked: boolean;
                            sentence: string;
                            through: {
                                /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                id: string;
                                /** @enum {unknown} */
                                kind: "user" | "group" | "well_known" | "unmapped";
                                name: string | null;
                                well_known?: string;
                            } | null;
                        };
                        groups: {
                            /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                            id: string;
                            /** @enum {unknown} */
                            kind: "user" | "group" | "well_known" | "unmapped";
                            name: string | null;
                            well_known?: string;
                        }[];
                        /** Format: uuid */
                        item_id: string;
                        principal: {
                            /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                            id: string;
                            /** @enum {unknown} */
                            kind: "user" | "group" | "well_known" | "unmapped";
                            name: string | null;
                            well_known?: string;
                        };
                        read: {
                            allowed: boolean;
                            folder: {
                                path: string | null;
                            } | null;
                            masked: boolean;
                            sentence: string;
                            through: {
                                /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                id: string;
                                /** @enum {unknown} */
                                kind: "user" | "group" | "well_known" | "unmapped";
                                name: string | null;
                                well_known?: string;
                            } | null;
                        };
                        write: {
                            allowed: boolean;
                            folder: {
                                path: string | null;
                            } | null;
                            masked: boolean;
                            sentence: string;
                            through: {
                                /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                                id: string;
                                /** @enum {unknown} */
                                kind: "user" | "group" | "well_known" | "unmapped";
                                name: string | null;
                                well_known?: string;
                            } | null;
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsItemIdRestore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        content_hash: string | null;
                        deleted_at: string | null;
                        dev: number | null;
                        extension: string | null;
                        external_ids: {
                            [key: string]: unknown;
                        };
                        file_category: string;
                        file_group: string;
                        filename: string;
                        /** Format: date-time */
                        first_seen: string;
                        has_text: boolean;
                        has_thumb: boolean;
                        hash_error: string | null;
                        /** Format: uuid */
                        id: string;
                        inode: number | null;
                        /** Format: date-time */
                        last_changed: string;
                        /** Format: date-time */
                        last_seen: string;
                        last_verified_at: string | null;
                        /** Format: uuid */
                        library_id: string;
                        library_name: string;
                        library_share_prefix: string | null;
                        library_share_unc: string | null;
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        mtime: string;
                        native_path: string | null;
                        nlink: number | null;
                        /** @description The absolute path on the machine that scans it. */
                        path: string;
                        policy_version: string | null;
                        quick_hash: string | null;
                        rel_path: string;
                        /** @enum {unknown} */
                        share_source: "manual" | "mount-map" | "none";
                        share_unc: string | null;
                        share_url: string | null;
                        sidecar_of: string | null;
                        size: number;
                        source_agent_id: string | null;
                        /** @enum {unknown} */
                        status: "active" | "missing" | "trashed";
                        symlink_target: string | null;
                        tags: string[];
                        thumb_version: string | null;
                        title: string | null;
                        /** @description Whether its contents wait to be read. */
                        unread: boolean;
                        user_metadata: {
                            [key: string]: unknown;
                        };
                        year: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdSimilar: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        by: "words" | "meaning";
                        hits: {
                            _geo: {
                                lat: number;
                                lng: number;
                            } | null;
                            distance_m: number | null;
                            duration: number | null;
                            extension: string | null;
                            file_category: string;
                            file_group: string;
                            filename: string;
                            has_error: boolean;
                            has_thumb: boolean;
                            height: number | null;
                            highlight: {
                                filename: string;
                                path: string | null;
                                title: string | null;
                            };
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            library_id: string;
                            matched_by: ("words" | "meaning" | "both") | null;
                            missing_since: string | null;
                            mtime: number;
                            pages: number | null;
                            rel_path: string;
                            score: number;
                            sidecar_of: string | null;
                            similarity: number;
                            similarity_to_query: number | null;
                            size: number;
                            snippet: string | null;
                            status: string;
                            tags: string[];
                            taken: string | null;
                            thumb_version: string | null;
                            title: string | null;
                            width: number | null;
                            year: number | null;
                        }[];
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdText: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Where the text comes from: the document itself, text recognition, subtitles, or names of archive members.
                         * @enum {unknown}
                         */
                        source: "body" | "ocr" | "subtitles" | "members";
                        text: string;
                        /** @description The file has more text than is stored. */
                        truncated: boolean;
                    };
                };
            };
            /** @description Default Response */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdThumb: {
        parameters: {
            query?: {
                tier?: "grid" | "preview";
                /** @description The `thumb_version` of the item or hit. With it, the response may be cached forever. */
                v?: string;
            };
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Default Response */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsItemIdTouch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsItemIdTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    max_bytes_per_sec?: number;
                    /**
                     * @description Accept only the bytes that are catalogued.
                     * @default true
                     */
                    verify_hash?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        bytes_transferred: number;
                        /** Format: date-time */
                        created_at: string;
                        error: string | null;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        item_id: string;
                        last_range_request_at: string | null;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                        /** Format: uuid */
                        transfer_id: string;
                        /** @description The bytes were compared with the catalog. */
                        verified: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsItemIdTurntable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsArchive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In the order of the archive. */
                    item_ids: string[];
                };
                "application/x-www-form-urlencoded": {
                    /** @description In the order of the archive. */
                    item_ids: string[];
                };
            };
        };
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsArchivePlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In the order of the archive. */
                    item_ids: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes: number;
                        files: number;
                        left_out: number;
                        /** @description The first 100. */
                        left_out_files: {
                            filename: string;
                            reason: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A map of item id to ItemPatch. */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            [key: string]: string | {
                                detail: string | unknown[];
                                error: string;
                            };
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postItemsCopyCounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getItemsUnattached: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description Up to 20 files with the same contents. */
                            candidates: {
                                /** Format: uuid */
                                id: string;
                                /** Format: uuid */
                                library_id: string;
                                rel_path: string;
                            }[];
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            library_id: string;
                            missing_since: string | null;
                            note: string | null;
                            rel_path: string;
                            tags: string[];
                        }[];
                        limit: number;
                        next_cursor: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibraries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chunking_enabled: boolean;
                        count_pruned_files: boolean;
                        /** Format: date-time */
                        created_at: string;
                        effective_presets: string[];
                        enabled: boolean;
                        enabled_categories: string[];
                        enabled_extension_groups: string[];
                        enabled_groups: string[];
                        enabled_presets: string[];
                        exclude_globs: string[];
                        expose_gps: boolean;
                        extract_overrides: {
                            [key: string]: number;
                        } | null;
                        hash_full_max_bytes: number | null;
                        /** @enum {unknown} */
                        hash_policy: "auto" | "full" | "quick_only";
                        /** Format: uuid */
                        id: string;
                        include_globs: string[];
                        last_full_scan_at: string | null;
                        last_scan: {
                            /** @description The counters as one sentence. */
                            accounting: string;
                            backpressure: {
                                reason: string;
                                /** @enum {unknown} */
                                state: "tripped" | "recovering" | "paused";
                            } | null;
                            bytes_per_s: number | null;
                            bytes_seen: number;
                            changed: number;
                            error: string | null;
                            error_code: string | null;
                            excluded_filtered: number;
                            excluded_gate: number;
                            files_per_s: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            missing: number;
                            moved: number;
                            new: number;
                            permission_denied: number;
                            pruned_dirs: number;
                            pruned_files: number | null;
                            /** @description True when everything below `scope` was scanned. */
                            recursive: boolean;
                            scope: string;
                            seconds: number | null;
                            seen: number;
                            /**
                             * ScanStages
                             * @description Extraction, thumbnails and indexing continue after the scan itself has ended.
                             */
                            stages: {
                                /** ScanStage */
                                extract: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                hash: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                index: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                thumbnail: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                walk: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                            };
                            /** Format: date-time */
                            started_at: string;
                            status: string;
                            trigger: string;
                        } | null;
                        name: string;
                        native_prefix: string | null;
                        next_scan_at: string | null;
                        ocr_enabled: boolean;
                        permissions_enabled: boolean;
                        root_path: string;
                        scan_cron: string | null;
                        share_prefix: string | null;
                        share_prefix_effective: string | null;
                        /** @enum {unknown} */
                        share_prefix_source: "manual" | "mount-map" | "none";
                        share_unc_effective: string | null;
                        source_agent_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        vanish_guard_pct: number | null;
                        watch_degraded: string | null;
                        watch_mode: boolean;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postLibraries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chunking_enabled?: boolean;
                    count_pruned_files?: boolean;
                    enabled?: boolean;
                    enabled_categories?: string[];
                    enabled_extension_groups?: string[];
                    enabled_groups?: string[];
                    enabled_presets?: string[];
                    exclude_globs?: string[];
                    expose_gps?: boolean;
                    extract_overrides?: {
                        body_text_max_chars?: number | null;
                        doc_decompressed_max?: number | null;
                        doc_decompression_ratio?: number | null;
                        doc_decompression_ratio_min_bytes?: number | null;
                        document_max_bytes?: number | null;
                        email_max_bytes?: number | null;
                        extract_timeout_seconds?: number | null;
                        ffprobe_timeout_s?: number | null;
                        model3d_max_bytes?: number | null;
                    } | null;
                    hash_full_max_bytes?: number | null;
                    /** @enum {unknown} */
                    hash_policy?: "auto" | "full" | "quick_only";
                    include_globs?: string[];
                    name: string;
                    native_prefix?: string | null;
                    ocr_enabled?: boolean;
                    /** @description Record who can read and change the files on disk. */
                    permissions_enabled?: boolean;
                    root_path: string;
                    scan_cron?: string | null;
                    share_prefix?: string | null;
                    vanish_guard_pct?: number | null;
                    watch_mode?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chunking_enabled: boolean;
                        count_pruned_files: boolean;
                        /** Format: date-time */
                        created_at: string;
                        effective_presets: string[];
                        enabled: boolean;
                        enabled_categories: string[];
                        enabled_extension_groups: string[];
                        enabled_groups: string[];
                        enabled_presets: string[];
                        exclude_globs: string[];
                        expose_gps: boolean;
                        extract_overrides: {
                            [key: string]: number;
                        } | null;
                        hash_full_max_bytes: number | null;
                        /** @enum {unknown} */
                        hash_policy: "auto" | "full" | "quick_only";
                        /** Format: uuid */
                        id: string;
                        include_globs: string[];
                        last_full_scan_at: string | null;
                        last_scan: {
                            /** @description The counters as one sentence. */
                            accounting: string;
                            backpressure: {
                                reason: string;
                                /** @enum {unknown} */
                                state: "tripped" | "recovering" | "paused";
                            } | null;
                            bytes_per_s: number | null;
                            bytes_seen: number;
                            changed: number;
                            error: string | null;
                            error_code: string | null;
                            excluded_filtered: number;
                            excluded_gate: number;
                            files_per_s: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            missing: number;
                            moved: number;
                            new: number;
                            permission_denied: number;
                            pruned_dirs: number;
                            pruned_files: number | null;
                            /** @description True when everything below `scope` was scanned. */
                            recursive: boolean;
                            scope: string;
                            seconds: number | null;
                            seen: number;
                            /**
                             * ScanStages
                             * @description Extraction, thumbnails and indexing continue after the scan itself has ended.
                             */
                            stages: {
                                /** ScanStage */
                                extract: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                hash: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                index: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                thumbnail: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                walk: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                            };
                            /** Format: date-time */
                            started_at: string;
                            status: string;
                            trigger: string;
                        } | null;
                        name: string;
                        native_prefix: string | null;
                        next_scan_at: string | null;
                        ocr_enabled: boolean;
                        permissions_enabled: boolean;
                        root_path: string;
                        scan_cron: string | null;
                        share_prefix: string | null;
                        share_prefix_effective: string | null;
                        /** @enum {unknown} */
                        share_prefix_source: "manual" | "mount-map" | "none";
                        share_unc_effective: string | null;
                        source_agent_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        vanish_guard_pct: number | null;
                        watch_degraded: string | null;
                        watch_mode: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chunking_enabled: boolean;
                        count_pruned_files: boolean;
                        /** Format: date-time */
                        created_at: string;
                        effective_presets: string[];
                        enabled: boolean;
                        enabled_categories: string[];
                        enabled_extension_groups: string[];
                        enabled_groups: string[];
                        enabled_presets: string[];
                        exclude_globs: string[];
                        expose_gps: boolean;
                        extract_overrides: {
                            [key: string]: number;
                        } | null;
                        hash_full_max_bytes: number | null;
                        /** @enum {unknown} */
                        hash_policy: "auto" | "full" | "quick_only";
                        /** Format: uuid */
                        id: string;
                        include_globs: string[];
                        last_full_scan_at: string | null;
                        last_scan: {
                            /** @description The counters as one sentence. */
                            accounting: string;
                            backpressure: {
                                reason: string;
                                /** @enum {unknown} */
                                state: "tripped" | "recovering" | "paused";
                            } | null;
                            bytes_per_s: number | null;
                            bytes_seen: number;
                            changed: number;
                            error: string | null;
                            error_code: string | null;
                            excluded_filtered: number;
                            excluded_gate: number;
                            files_per_s: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            missing: number;
                            moved: number;
                            new: number;
                            permission_denied: number;
                            pruned_dirs: number;
                            pruned_files: number | null;
                            /** @description True when everything below `scope` was scanned. */
                            recursive: boolean;
                            scope: string;
                            seconds: number | null;
                            seen: number;
                            /**
                             * ScanStages
                             * @description Extraction, thumbnails and indexing continue after the scan itself has ended.
                             */
                            stages: {
                                /** ScanStage */
                                extract: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                hash: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                index: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                thumbnail: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                walk: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                            };
                            /** Format: date-time */
                            started_at: string;
                            status: string;
                            trigger: string;
                        } | null;
                        name: string;
                        native_prefix: string | null;
                        next_scan_at: string | null;
                        ocr_enabled: boolean;
                        permissions_enabled: boolean;
                        root_path: string;
                        scan_cron: string | null;
                        share_prefix: string | null;
                        share_prefix_effective: string | null;
                        /** @enum {unknown} */
                        share_prefix_source: "manual" | "mount-map" | "none";
                        share_unc_effective: string | null;
                        source_agent_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        vanish_guard_pct: number | null;
                        watch_degraded: string | null;
                        watch_mode: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteLibrariesLibraryId: {
        parameters: {
            query: {
                /** @description The exact name of the library. */
                confirm: string;
            };
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchLibrariesLibraryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chunking_enabled?: boolean;
                    count_pruned_files?: boolean;
                    enabled?: boolean;
                    enabled_categories?: string[];
                    enabled_extension_groups?: string[];
                    enabled_groups?: string[];
                    enabled_presets?: string[];
                    exclude_globs?: string[];
                    expose_gps?: boolean;
                    extract_overrides?: {
                        body_text_max_chars?: number | null;
                        doc_decompressed_max?: number | null;
                        doc_decompression_ratio?: number | null;
                        doc_decompression_ratio_min_bytes?: number | null;
                        document_max_bytes?: number | null;
                        email_max_bytes?: number | null;
                        extract_timeout_seconds?: number | null;
                        ffprobe_timeout_s?: number | null;
                        model3d_max_bytes?: number | null;
                    } | null;
                    hash_full_max_bytes?: number | null;
                    /** @enum {unknown} */
                    hash_policy?: "auto" | "full" | "quick_only";
                    include_globs?: string[];
                    name?: string;
                    native_prefix?: string | null;
                    ocr_enabled?: boolean;
                    /** @description Record who can read and change the files on disk. */
                    permissions_enabled?: boolean;
                    root_path?: string;
                    scan_cron?: string | null;
                    share_prefix?: string | null;
                    vanish_guard_pct?: number | null;
                    watch_mode?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chunking_enabled: boolean;
                        count_pruned_files: boolean;
                        /** Format: date-time */
                        created_at: string;
                        effective_presets: string[];
                        enabled: boolean;
                        enabled_categories: string[];
                        enabled_extension_groups: string[];
                        enabled_groups: string[];
                        enabled_presets: string[];
                        exclude_globs: string[];
                        expose_gps: boolean;
                        extract_overrides: {
                            [key: string]: number;
                        } | null;
                        hash_full_max_bytes: number | null;
                        /** @enum {unknown} */
                        hash_policy: "auto" | "full" | "quick_only";
                        /** Format: uuid */
                        id: string;
                        include_globs: string[];
                        last_full_scan_at: string | null;
                        last_scan: {
                            /** @description The counters as one sentence. */
                            accounting: string;
                            backpressure: {
                                reason: string;
                                /** @enum {unknown} */
                                state: "tripped" | "recovering" | "paused";
                            } | null;
                            bytes_per_s: number | null;
                            bytes_seen: number;
                            changed: number;
                            error: string | null;
                            error_code: string | null;
                            excluded_filtered: number;
                            excluded_gate: number;
                            files_per_s: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            missing: number;
                            moved: number;
                            new: number;
                            permission_denied: number;
                            pruned_dirs: number;
                            pruned_files: number | null;
                            /** @description True when everything below `scope` was scanned. */
                            recursive: boolean;
                            scope: string;
                            seconds: number | null;
                            seen: number;
                            /**
                             * ScanStages
                             * @description Extraction, thumbnails and indexing continue after the scan itself has ended.
                             */
                            stages: {
                                /** ScanStage */
                                extract: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                hash: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                index: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                thumbnail: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                walk: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                            };
                            /** Format: date-time */
                            started_at: string;
                            status: string;
                            trigger: string;
                        } | null;
                        name: string;
                        native_prefix: string | null;
                        next_scan_at: string | null;
                        ocr_enabled: boolean;
                        permissions_enabled: boolean;
                        root_path: string;
                        scan_cron: string | null;
                        share_prefix: string | null;
                        share_prefix_effective: string | null;
                        /** @enum {unknown} */
                        share_prefix_source: "manual" | "mount-map" | "none";
                        share_unc_effective: string | null;
                        source_agent_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                        vanish_guard_pct: number | null;
                        watch_degraded: string | null;
                        watch_mode: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryIdDiagnose: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        extract_errors: {
                            by_kind: {
                                [key: string]: number;
                            };
                            top_messages: {
                                count: number;
                                message: string;
                            }[];
                            total: number;
                        };
                        /** Format: uuid */
                        library_id: string;
                        path: {
                            code: string | null;
                            network: boolean;
                            root_path: string;
                            state: string;
                        } | null;
                        runs: {
                            error: string | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            scope: string;
                            /** Format: date-time */
                            started_at: string;
                            status: string;
                        }[];
                        verdicts: {
                            actions: string[];
                            code: string;
                            detail: string;
                            /** @enum {unknown} */
                            severity: "ok" | "info" | "warning" | "error";
                            title: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryIdErrors: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        items: {
                            error: string;
                            /** Format: uuid */
                            id: string;
                            kind: string | null;
                            rel_path: string;
                        }[];
                        /** Format: uuid */
                        library_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryIdExplain: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        at?: string;
                        category?: string;
                        group?: string;
                        item?: {
                            /** Format: uuid */
                            id: string;
                            status: string;
                            symlink_target: string | null;
                        };
                        line?: number;
                        list?: string;
                        moved_to?: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            library_id: string;
                            rel_path: string;
                        };
                        path: string;
                        pattern?: string;
                        preset?: string;
                        reason: string;
                        verdict: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryIdExport: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                columns?: string;
                format?: "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
                path?: string;
                recursive?: boolean;
            };
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postLibrariesLibraryIdRehash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        already_queued: boolean;
                        job_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postLibrariesLibraryIdRetryExtracts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        library_id: string;
                        retried: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postLibrariesLibraryIdScan: {
        parameters: {
            query?: {
                /** @description Scan even if most or all files of the library seem to be missing. */
                force_empty?: boolean;
            };
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        already_running: boolean;
                        job_id: string | null;
                        /** Format: uuid */
                        scan_id: string;
                        /** @enum {unknown} */
                        status: "running" | "stopping" | "stopped" | "failed" | "finished";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryIdScanPaths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        library_id: string;
                        next_scan_at: string | null;
                        rel_path: string;
                        scan_cron: string | null;
                        watch_mode: boolean | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postLibrariesLibraryIdScanPaths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled?: boolean;
                    rel_path?: string;
                    scan_cron?: string | null;
                    watch_mode?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        library_id: string;
                        next_scan_at: string | null;
                        rel_path: string;
                        scan_cron: string | null;
                        watch_mode: boolean | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteLibrariesLibraryIdScanPathsScanPathId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
                scan_path_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchLibrariesLibraryIdScanPathsScanPathId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
                scan_path_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled?: boolean;
                    rel_path?: string;
                    scan_cron?: string | null;
                    watch_mode?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        library_id: string;
                        next_scan_at: string | null;
                        rel_path: string;
                        scan_cron: string | null;
                        watch_mode: boolean | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postLibrariesLibraryIdScanTargeted: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    path?: string;
                    /** @default true */
                    recursive?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description True when a scan was already queued or running; the response describes that scan. */
                        coalesced: boolean;
                        is_file: boolean;
                        job_id: string | null;
                        /** Format: uuid */
                        library_id: string;
                        path: string;
                        /** @description When false, subfolders are not scanned. */
                        recursive: boolean;
                        /** Format: uuid */
                        scan_id: string;
                        /** @enum {unknown} */
                        status: "running" | "stopping" | "stopped" | "failed" | "finished";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesLibraryIdTree: {
        parameters: {
            query?: {
                cursor?: string;
                folders_offset?: number;
                /** @description By name, or largest first. */
                folders_sort?: "name" | "size" | "count";
                /** @description By name, or largest or newest first. Only items sorted by name have a cursor; page the others by `offset`. */
                items_sort?: "name" | "size" | "mtime";
                limit?: number;
                offset?: number;
                path?: string;
            };
            header?: never;
            path: {
                library_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        folders: {
                            item_count: number;
                            name: string;
                            total_bytes: number;
                        }[];
                        folders_offset: number;
                        folders_total: number;
                        items: {
                            file_category: string;
                            file_group: string;
                            filename: string;
                            has_thumb: boolean;
                            /** Format: uuid */
                            id: string;
                            /** Format: date-time */
                            mtime: string;
                            rel_path: string;
                            size: number;
                            thumb_version: string | null;
                            title: string | null;
                            year: number | null;
                        }[];
                        /** Format: uuid */
                        library_id: string;
                        library_name: string;
                        next_cursor: string | null;
                        path: string;
                        total_bytes: number;
                        total_files: number;
                        total_items: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getLibrariesHashStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_owned: boolean;
                        hash_scheme: string;
                        /** Format: uuid */
                        library_id: string;
                        name: string;
                        rehash_pending: boolean;
                        stale: number;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getMetadataProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        fields: {
                            [key: string]: {
                                facetable: boolean;
                                label: string;
                                required: boolean;
                                sortable: boolean;
                                type: string;
                            };
                        };
                        file_category: string;
                        /** Format: uuid */
                        id: string;
                        version: number;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getMetadataProfilesFileCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_category: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        fields: {
                            [key: string]: {
                                facetable: boolean;
                                label: string;
                                required: boolean;
                                sortable: boolean;
                                type: string;
                            };
                        };
                        file_category: string;
                        /** Format: uuid */
                        id: string;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getPermissionsReadableFolders: {
        parameters: {
            query: {
                library_id?: string;
                limit?: number;
                /** @description Needs library_id. */
                parent?: string;
                /** @description A user or group name of this machine or a directory, `uid:1000`, `gid:100`, a SID, or `everyone`. */
                principal: string;
                right?: "read" | "write";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allowed: number;
                        children: {
                            allowed: number;
                            files: number;
                            folder: string;
                            has_children: boolean;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            /** @description The files directly in the parent, not in a folder below it. */
                            own_files: boolean;
                            why: string;
                        }[];
                        files: number;
                        groups: {
                            /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                            id: string;
                            /** @enum {unknown} */
                            kind: "user" | "group" | "well_known" | "unmapped";
                            name: string | null;
                            well_known?: string;
                        }[];
                        principal: {
                            /** @description `uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it. */
                            id: string;
                            /** @enum {unknown} */
                            kind: "user" | "group" | "well_known" | "unmapped";
                            name: string | null;
                            well_known?: string;
                        };
                        truncated: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getPresets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        extension_groups: {
                            extensions: string[];
                            file_category: string;
                            label: string;
                            name: string;
                        }[];
                        presets: {
                            builtin: boolean;
                            caveat: string | null;
                            default_enabled: boolean;
                            label: string;
                            name: string;
                            patterns: string[];
                            /** @description Number of libraries that use the preset. */
                            used_by: number;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postPresets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    caveat?: string | null;
                    label?: string;
                    /** @description lower-case letters, digits, hyphens and underscores, 2 to 64 characters */
                    name: string;
                    patterns?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        caveat: string | null;
                        default_enabled: boolean;
                        label: string;
                        name: string;
                        patterns: string[];
                        /** @description Number of libraries that use the preset. */
                        used_by: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getPresetsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        caveat: string | null;
                        default_enabled: boolean;
                        label: string;
                        name: string;
                        patterns: string[];
                        /** @description Number of libraries that use the preset. */
                        used_by: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deletePresetsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchPresetsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    caveat?: string | null;
                    label?: string;
                    patterns?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        caveat: string | null;
                        default_enabled: boolean;
                        label: string;
                        name: string;
                        patterns: string[];
                        /** @description Number of libraries that use the preset. */
                        used_by: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postPresetsNameFork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label?: string | null;
                    /** @description lower-case letters, digits, hyphens and underscores, 2 to 64 characters */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        caveat: string | null;
                        default_enabled: boolean;
                        label: string;
                        name: string;
                        patterns: string[];
                        /** @description Number of libraries that use the preset. */
                        used_by: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getPrincipalAliases: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aliases: {
                            alias: string;
                            canonical: string;
                            /** Format: date-time */
                            created_at: string;
                            display: string | null;
                            /** @enum {unknown} */
                            source: "manual" | "ldap";
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putPrincipalAliases: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    alias: string;
                    canonical: string;
                    display?: string | null;
                }[];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        skipped: number;
                        upserted: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deletePrincipalAliasesAlias: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The alias, percent-encoded. */
                alias: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postQueryAssist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dsl: string;
                        filters: {
                            end: number;
                            field: string;
                            negated: boolean;
                            start: number;
                            text: string;
                            value: string;
                        }[];
                        llm_available: boolean;
                        notes: string[];
                        /** @enum {unknown} */
                        source: "heuristic" | "ollama";
                        terms: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getQueryKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        custom_fields: {
                            data_type: string;
                            label: string;
                            name: string;
                            select_options: string[] | null;
                        }[];
                        groups: string[];
                        has: string[];
                        is: string[];
                        keys: {
                            example: string;
                            key: string;
                            label: string;
                            type: string;
                        }[];
                        kinds: string[];
                        meta_keys: {
                            data_type: string;
                            file_categories: string[];
                            key: string;
                            label: string;
                        }[];
                        source: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postQueryPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 25 */
                    limit?: number;
                    /** @default 0 */
                    offset?: number;
                    /** @default  */
                    query?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        columns: string[];
                        count: number;
                        has_more: boolean;
                        limit: number;
                        offset: number;
                        rows: {
                            file_category: string;
                            file_group: string;
                            filename: string;
                            /** Format: uuid */
                            item_id: string;
                            library: string;
                            mtime: number;
                            rel_path: string;
                            size: number;
                        }[];
                        total: number;
                        total_capped: boolean;
                        understood: {
                            end: number;
                            field: string;
                            negated: boolean;
                            start: number;
                            text: string;
                            value: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        actions: string[];
                        role_ceilings: {
                            [key: string]: string[];
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacGrants: {
        parameters: {
            query?: {
                library_id?: string;
                subject_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        action: string;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        library_id: string;
                        rel_path: string;
                        scope: string;
                        /** Format: uuid */
                        subject_id: string;
                        /** @enum {unknown} */
                        subject_kind: "principal" | "group";
                        subject_label: string | null;
                        warnings: string[];
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postRbacGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    action: string;
                    /** @enum {unknown} */
                    effect?: "allow" | "deny";
                    /** Format: uuid */
                    library_id: string;
                    /** @default  */
                    rel_path?: string;
                    /** Format: uuid */
                    subject_id: string;
                    /** @enum {unknown} */
                    subject_kind: "principal" | "group";
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        action: string;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        library_id: string;
                        rel_path: string;
                        scope: string;
                        /** Format: uuid */
                        subject_id: string;
                        /** @enum {unknown} */
                        subject_kind: "principal" | "group";
                        subject_label: string | null;
                        warnings: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteRbacGrantsGrantId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: string | null;
                        external_name: string | null;
                        /** Format: uuid */
                        id: string;
                        member_count: number;
                        name: string;
                        source: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postRbacGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    external_name?: string | null;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: string | null;
                        external_name: string | null;
                        /** Format: uuid */
                        id: string;
                        member_count: number;
                        name: string;
                        source: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteRbacGroupsGroupId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchRbacGroupsGroupId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    external_name?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: string | null;
                        external_name: string | null;
                        /** Format: uuid */
                        id: string;
                        member_count: number;
                        name: string;
                        source: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacGroupsGroupIdMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        global_role: string;
                        /** Format: uuid */
                        principal_id: string;
                        /** @description local, or the provider that reports the membership. */
                        source: string;
                        username: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postRbacGroupsGroupIdMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    principal_id: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteRbacGroupsGroupIdMembersPrincipalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacPeoplePrincipalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The role sees everything; rules do not restrict it. */
                        bypass: boolean;
                        ceiling_actions: string[];
                        display_name: string;
                        groups: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @description local, or the provider that reports it. */
                            source: string;
                        }[];
                        rights: {
                            action: string;
                            /** @description The role does not cover the action, so the rule has no effect. */
                            beyond_role: boolean;
                            /** @enum {unknown} */
                            effect: "allow" | "deny";
                            group: string | null;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            rel_path: string;
                        }[];
                        role: string;
                        role_reason: string | null;
                        /** @description local, or the provider that gave the role. */
                        role_source: string;
                        scopes: ("read" | "write" | "admin")[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacPreview: {
        parameters: {
            query: {
                action: string;
                library: string;
                path: string;
                principal: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        action: string;
                        allowed: boolean;
                        item_scope: string;
                        reason: string;
                        role: string;
                        winning_grant: {
                            action: string;
                            /** @enum {unknown} */
                            effect: "allow" | "deny";
                            scope: string;
                            subject_id: string;
                            subject_kind: string;
                        } | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        bypass: boolean;
                        ceiling_actions: string[];
                        description: string;
                        display_name: string;
                        name: string;
                        /** @description People with this role and a local password need an authenticator app or a passkey. */
                        require_second_factor: boolean;
                        scopes: ("read" | "write" | "admin")[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        updated_at: string | null;
                        users: number;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postRbacRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ceiling_actions?: string[];
                    clone_from?: string | null;
                    description?: string;
                    display_name: string;
                    name: string;
                    scopes?: ("read" | "write" | "admin")[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        bypass: boolean;
                        ceiling_actions: string[];
                        description: string;
                        display_name: string;
                        name: string;
                        /** @description People with this role and a local password need an authenticator app or a passkey. */
                        require_second_factor: boolean;
                        scopes: ("read" | "write" | "admin")[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        updated_at: string | null;
                        users: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteRbacRolesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchRbacRolesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ceiling_actions?: string[];
                    description?: string;
                    display_name?: string;
                    require_second_factor?: boolean;
                    scopes?: ("read" | "write" | "admin")[];
                    session_inactivity_hours?: number | null;
                    session_ttl_hours?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        builtin: boolean;
                        bypass: boolean;
                        ceiling_actions: string[];
                        description: string;
                        display_name: string;
                        name: string;
                        /** @description People with this role and a local password need an authenticator app or a passkey. */
                        require_second_factor: boolean;
                        scopes: ("read" | "write" | "admin")[];
                        session_inactivity_hours: number | null;
                        session_ttl_hours: number | null;
                        updated_at: string | null;
                        users: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getRbacRolesCompare: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        action_help: {
                            [key: string]: string;
                        };
                        actions: string[];
                        matrix: {
                            [key: string]: {
                                [key: string]: boolean;
                            };
                        };
                        roles: {
                            builtin: boolean;
                            bypass: boolean;
                            ceiling_actions: string[];
                            description: string;
                            display_name: string;
                            name: string;
                            /** @description People with this role and a local password need an authenticator app or a passkey. */
                            require_second_factor: boolean;
                            scopes: ("read" | "write" | "admin")[];
                            session_inactivity_hours: number | null;
                            session_ttl_hours: number | null;
                            updated_at: string | null;
                            users: number;
                        }[];
                        scope_help: {
                            [key: string]: string;
                        };
                        scopes: string[];
                        users_by_role: {
                            [key: string]: string[];
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportPins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of reports, oldest pin first. */
                        reports: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putReportPinsReportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of reports, oldest pin first. */
                        reports: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteReportPinsReportId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of reports, oldest pin first. */
                        reports: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        channel_id: string | null;
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        cron: string;
                        enabled: boolean;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        /** Format: uuid */
                        id: string;
                        last_cron_fired_at: string | null;
                        last_run: {
                            deliveries: {
                                attempts: number;
                                channel: string | null;
                                last_error: string | null;
                                /** @enum {unknown} */
                                state: "pending" | "delivered" | "failed" | "skipped";
                            }[];
                            detail: string | null;
                            download_url: string | null;
                            export_id: string | null;
                            file_size_bytes: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            row_count: number | null;
                            /** Format: date-time */
                            started_at: string;
                            /** @enum {unknown} */
                            state: "queued" | "exporting" | "delivering" | "delivered" | "stored" | "skipped" | "failed";
                            /** @enum {unknown} */
                            trigger: "cron" | "manual";
                        } | null;
                        name: string;
                        next_run_at: string | null;
                        only_changes: boolean;
                        only_if_rows: boolean;
                        owner_name: string;
                        owner_principal: string | null;
                        /** @description The filters of the report, as in GET /reports/{report_id}. */
                        params: {
                            folder?: string;
                            /** Format: uuid */
                            library_id?: string;
                            limit?: number;
                            min_bytes?: number;
                            /** Format: date-time */
                            since?: string;
                            sort?: string;
                            threshold_days?: number;
                            /** Format: date-time */
                            until?: string;
                        };
                        report_definition_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postReportSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    canned_report_key?: string | null;
                    channel_id?: string | null;
                    channel_ids?: string[];
                    /** @description Five fields, UTC. */
                    cron: string;
                    enabled?: boolean;
                    /** @enum {unknown} */
                    format?: "csv" | "ndjson" | "xml" | "xlsx";
                    name: string;
                    /** @description Contains only rows that are new, have changed or are gone since the last delivery; the column row_change says which. */
                    only_changes?: boolean;
                    /** @description Delivers nothing when the report has no rows. */
                    only_if_rows?: boolean;
                    /** @description The filters of the report, as in GET /reports/{report_id}. */
                    params?: {
                        folder?: string;
                        /** Format: uuid */
                        library_id?: string;
                        limit?: number;
                        min_bytes?: number;
                        /** Format: date-time */
                        since?: string;
                        sort?: string;
                        threshold_days?: number;
                        /** Format: date-time */
                        until?: string;
                    };
                    report_definition_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        channel_id: string | null;
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        cron: string;
                        enabled: boolean;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        /** Format: uuid */
                        id: string;
                        last_cron_fired_at: string | null;
                        last_run: {
                            deliveries: {
                                attempts: number;
                                channel: string | null;
                                last_error: string | null;
                                /** @enum {unknown} */
                                state: "pending" | "delivered" | "failed" | "skipped";
                            }[];
                            detail: string | null;
                            download_url: string | null;
                            export_id: string | null;
                            file_size_bytes: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            row_count: number | null;
                            /** Format: date-time */
                            started_at: string;
                            /** @enum {unknown} */
                            state: "queued" | "exporting" | "delivering" | "delivered" | "stored" | "skipped" | "failed";
                            /** @enum {unknown} */
                            trigger: "cron" | "manual";
                        } | null;
                        name: string;
                        next_run_at: string | null;
                        only_changes: boolean;
                        only_if_rows: boolean;
                        owner_name: string;
                        owner_principal: string | null;
                        /** @description The filters of the report, as in GET /reports/{report_id}. */
                        params: {
                            folder?: string;
                            /** Format: uuid */
                            library_id?: string;
                            limit?: number;
                            min_bytes?: number;
                            /** Format: date-time */
                            since?: string;
                            sort?: string;
                            threshold_days?: number;
                            /** Format: date-time */
                            until?: string;
                        };
                        report_definition_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportSchedulesScheduleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        channel_id: string | null;
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        cron: string;
                        enabled: boolean;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        /** Format: uuid */
                        id: string;
                        last_cron_fired_at: string | null;
                        last_run: {
                            deliveries: {
                                attempts: number;
                                channel: string | null;
                                last_error: string | null;
                                /** @enum {unknown} */
                                state: "pending" | "delivered" | "failed" | "skipped";
                            }[];
                            detail: string | null;
                            download_url: string | null;
                            export_id: string | null;
                            file_size_bytes: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            row_count: number | null;
                            /** Format: date-time */
                            started_at: string;
                            /** @enum {unknown} */
                            state: "queued" | "exporting" | "delivering" | "delivered" | "stored" | "skipped" | "failed";
                            /** @enum {unknown} */
                            trigger: "cron" | "manual";
                        } | null;
                        name: string;
                        next_run_at: string | null;
                        only_changes: boolean;
                        only_if_rows: boolean;
                        owner_name: string;
                        owner_principal: string | null;
                        /** @description The filters of the report, as in GET /reports/{report_id}. */
                        params: {
                            folder?: string;
                            /** Format: uuid */
                            library_id?: string;
                            limit?: number;
                            min_bytes?: number;
                            /** Format: date-time */
                            since?: string;
                            sort?: string;
                            threshold_days?: number;
                            /** Format: date-time */
                            until?: string;
                        };
                        report_definition_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteReportSchedulesScheduleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchReportSchedulesScheduleId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    canned_report_key?: string | null;
                    channel_id?: string | null;
                    channel_ids?: string[];
                    /** @description Five fields, UTC. */
                    cron?: string;
                    enabled?: boolean;
                    /** @enum {unknown} */
                    format?: "csv" | "ndjson" | "xml" | "xlsx";
                    name?: string;
                    /** @description Contains only rows that are new, have changed or are gone since the last delivery; the column row_change says which. */
                    only_changes?: boolean;
                    /** @description Delivers nothing when the report has no rows. */
                    only_if_rows?: boolean;
                    /** @description The filters of the report, as in GET /reports/{report_id}. */
                    params?: {
                        folder?: string;
                        /** Format: uuid */
                        library_id?: string;
                        limit?: number;
                        min_bytes?: number;
                        /** Format: date-time */
                        since?: string;
                        sort?: string;
                        threshold_days?: number;
                        /** Format: date-time */
                        until?: string;
                    };
                    report_definition_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        channel_id: string | null;
                        channel_ids: string[];
                        /** Format: date-time */
                        created_at: string;
                        cron: string;
                        enabled: boolean;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        /** Format: uuid */
                        id: string;
                        last_cron_fired_at: string | null;
                        last_run: {
                            deliveries: {
                                attempts: number;
                                channel: string | null;
                                last_error: string | null;
                                /** @enum {unknown} */
                                state: "pending" | "delivered" | "failed" | "skipped";
                            }[];
                            detail: string | null;
                            download_url: string | null;
                            export_id: string | null;
                            file_size_bytes: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            row_count: number | null;
                            /** Format: date-time */
                            started_at: string;
                            /** @enum {unknown} */
                            state: "queued" | "exporting" | "delivering" | "delivered" | "stored" | "skipped" | "failed";
                            /** @enum {unknown} */
                            trigger: "cron" | "manual";
                        } | null;
                        name: string;
                        next_run_at: string | null;
                        only_changes: boolean;
                        only_if_rows: boolean;
                        owner_name: string;
                        owner_principal: string | null;
                        /** @description The filters of the report, as in GET /reports/{report_id}. */
                        params: {
                            folder?: string;
                            /** Format: uuid */
                            library_id?: string;
                            limit?: number;
                            min_bytes?: number;
                            /** Format: date-time */
                            since?: string;
                            sort?: string;
                            threshold_days?: number;
                            /** Format: date-time */
                            until?: string;
                        };
                        report_definition_id: string | null;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postReportSchedulesScheduleIdRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: {
                            attempts: number;
                            channel: string | null;
                            last_error: string | null;
                            /** @enum {unknown} */
                            state: "pending" | "delivered" | "failed" | "skipped";
                        }[];
                        detail: string | null;
                        download_url: string | null;
                        export_id: string | null;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** Format: uuid */
                        id: string;
                        row_count: number | null;
                        /** Format: date-time */
                        started_at: string;
                        /** @enum {unknown} */
                        state: "queued" | "exporting" | "delivering" | "delivered" | "stored" | "skipped" | "failed";
                        /** @enum {unknown} */
                        trigger: "cron" | "manual";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportSchedulesScheduleIdRuns: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: {
                            deliveries: {
                                attempts: number;
                                channel: string | null;
                                last_error: string | null;
                                /** @enum {unknown} */
                                state: "pending" | "delivered" | "failed" | "skipped";
                            }[];
                            detail: string | null;
                            download_url: string | null;
                            export_id: string | null;
                            file_size_bytes: number | null;
                            finished_at: string | null;
                            /** Format: uuid */
                            id: string;
                            row_count: number | null;
                            /** Format: date-time */
                            started_at: string;
                            /** @enum {unknown} */
                            state: "queued" | "exporting" | "delivering" | "delivered" | "stored" | "skipped" | "failed";
                            /** @enum {unknown} */
                            trigger: "cron" | "manual";
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportSchedulesChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        name: string;
                        type: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportSchedulesNext: {
        parameters: {
            query: {
                count?: number;
                /** @description Five fields, UTC. */
                cron: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        times: string[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reports: {
                            columns: string[];
                            default_days: number | null;
                            default_limit: number;
                            default_min_bytes: number | null;
                            default_on_days: number | null;
                            default_other_principal: string | null;
                            default_principal: string | null;
                            default_sort: string;
                            default_threshold_days: number | null;
                            default_words: string | null;
                            description: string;
                            fields: {
                                hidden: boolean;
                                key: string;
                                label: string;
                                sortable: boolean;
                                /** @enum {unknown} */
                                type: "text" | "integer" | "bytes" | "decimal" | "time" | "date" | "boolean" | "list";
                            }[];
                            /** @enum {unknown} */
                            group: "space" | "health" | "activity" | "access";
                            id: string;
                            /** @description A top list: limit is its length. */
                            is_capped: boolean;
                            /** @enum {unknown} */
                            row_link: "item" | "search_ext" | "search_hash" | "search_tag" | "search_category" | "browse" | "library" | "person" | "none";
                            supports_dates: boolean;
                            supports_folder: boolean;
                            supports_library: boolean;
                            supports_on: boolean;
                            supports_other_principal: boolean;
                            supports_principal: boolean;
                            supports_threshold: boolean;
                            supports_words: boolean;
                            threshold_label: string | null;
                            threshold_unit: ("days" | "bytes") | null;
                            title: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportsReportId: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                cursor?: string;
                /** @description Only what is below this folder of the library */
                folder?: string;
                format?: "json" | "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
                library_id?: string;
                /** @description Rows of the page, or of a top list or file */
                limit?: number;
                min_bytes?: number;
                offset?: number;
                on?: string;
                /** @description The person or group to compare with */
                other_principal?: string;
                /** @description A person or group: a name, `uid:1000`, `gid:100`, a SID, or `everyone` */
                principal?: string;
                since?: string;
                /** @description Columns in order of precedence, separated by commas; a leading - sorts descending */
                sort?: string;
                threshold_days?: number;
                until?: string;
                /** @description Words separated by commas; at most 20 */
                words?: string;
            };
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        columns: string[];
                        count: number;
                        fields: {
                            hidden: boolean;
                            key: string;
                            label: string;
                            sortable: boolean;
                            /** @enum {unknown} */
                            type: "text" | "integer" | "bytes" | "decimal" | "time" | "date" | "boolean" | "list";
                        }[];
                        has_more: boolean;
                        limit: number;
                        next_cursor: string | null;
                        offset: number;
                        /** ReportOut */
                        report: {
                            columns: string[];
                            default_days: number | null;
                            default_limit: number;
                            default_min_bytes: number | null;
                            default_on_days: number | null;
                            default_other_principal: string | null;
                            default_principal: string | null;
                            default_sort: string;
                            default_threshold_days: number | null;
                            default_words: string | null;
                            description: string;
                            fields: {
                                hidden: boolean;
                                key: string;
                                label: string;
                                sortable: boolean;
                                /** @enum {unknown} */
                                type: "text" | "integer" | "bytes" | "decimal" | "time" | "date" | "boolean" | "list";
                            }[];
                            /** @enum {unknown} */
                            group: "space" | "health" | "activity" | "access";
                            id: string;
                            /** @description A top list: limit is its length. */
                            is_capped: boolean;
                            /** @enum {unknown} */
                            row_link: "item" | "search_ext" | "search_hash" | "search_tag" | "search_category" | "browse" | "library" | "person" | "none";
                            supports_dates: boolean;
                            supports_folder: boolean;
                            supports_library: boolean;
                            supports_on: boolean;
                            supports_other_principal: boolean;
                            supports_principal: boolean;
                            supports_threshold: boolean;
                            supports_words: boolean;
                            threshold_label: string | null;
                            threshold_unit: ("days" | "bytes") | null;
                            title: string;
                        };
                        rows: {
                            [key: string]: unknown;
                        }[];
                        sums: {
                            [key: string]: number;
                        };
                        total: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postReportsReportIdExport: {
        parameters: {
            query?: {
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                /** @description Only what is below this folder of the library */
                folder?: string;
                format?: "csv" | "ndjson" | "xml" | "xlsx";
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
                library_id?: string;
                limit?: number;
                min_bytes?: number;
                on?: string;
                /** @description The person or group to compare with */
                other_principal?: string;
                /** @description A person or group: a name, `uid:1000`, `gid:100`, a SID, or `everyone` */
                principal?: string;
                since?: string;
                /** @description Columns in order of precedence, separated by commas; a leading - sorts descending */
                sort?: string;
                threshold_days?: number;
                until?: string;
                /** @description Words separated by commas; at most 20 */
                words?: string;
            };
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canned_report_key: string | null;
                        /** Format: date-time */
                        created_at: string;
                        delivery_status: ("pending" | "delivered" | "failed" | "skipped") | null;
                        download_url: string | null;
                        downloadable: boolean;
                        error: string | null;
                        expires_at: string | null;
                        file_name: string;
                        file_size_bytes: number | null;
                        finished_at: string | null;
                        /** @enum {unknown} */
                        format: "csv" | "ndjson" | "xml" | "xlsx";
                        gzip: boolean;
                        /** Format: uuid */
                        id: string;
                        owner_name: string;
                        progress: {
                            bytes: number;
                            rows: number;
                            total: number | null;
                        } | null;
                        purged_at: string | null;
                        report_definition_id: string | null;
                        row_count: number | null;
                        sha256: string | null;
                        source: {
                            [key: string]: unknown;
                        };
                        started_at: string | null;
                        /** @enum {unknown} */
                        status: "queued" | "running" | "complete" | "failed" | "cancelled";
                        title: string;
                        /** @enum {unknown} */
                        triggered_by: "manual" | "schedule";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReportsFolderTree: {
        parameters: {
            query?: {
                library_id?: string;
                limit?: number;
                parent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        children: {
                            file_count: number;
                            folder: string;
                            has_children: boolean;
                            library: string;
                            /** Format: uuid */
                            library_id: string;
                            name: string;
                            total_bytes: number;
                        }[];
                        library_id: string | null;
                        parent: string;
                        truncated: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSavedSearches: {
        parameters: {
            query?: {
                owner_principal?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        params: {
                            [key: string]: unknown;
                        };
                        shared: boolean;
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSavedSearches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    owner_principal?: string | null;
                    params?: {
                        album?: string[];
                        artist?: string[];
                        author?: string[];
                        camera?: string[];
                        extension?: string[];
                        facets?: boolean;
                        file_category?: string[];
                        file_group?: string[];
                        geo_bottom_lat?: number;
                        geo_lat?: number;
                        geo_left_lng?: number;
                        geo_lng?: number;
                        geo_radius_m?: number;
                        geo_right_lng?: number;
                        /** @enum {unknown} */
                        geo_sort?: "asc" | "desc";
                        geo_top_lat?: number;
                        has_error?: boolean;
                        /** @description The first 8 to 64 hexadecimal digits of a quick or content hash */
                        hash?: string;
                        /** @description Also count sizes and dates by range, and items with errors, text, tags and so on. Needs `facets`. */
                        histograms?: boolean;
                        include_sidecars?: boolean;
                        language?: string[];
                        lens?: string[];
                        library?: string[];
                        limit?: number;
                        mtime_gte?: number;
                        mtime_lte?: number;
                        /** @description Number of hits to skip. Cannot be combined with `cursor`. */
                        offset?: number;
                        path?: string;
                        principal?: string;
                        q?: string;
                        resolution?: string[];
                        /** @enum {unknown} */
                        search_in?: "all" | "content" | "names";
                        /** @description How much meaning counts beside words: 0 is words only, 1 is meaning only. Applies to searches by relevance in all fields. Ignored while search by meaning is off. */
                        semantic?: number;
                        /** Format: uuid */
                        sidecar_of?: string;
                        size_gte?: number;
                        size_lte?: number;
                        /** @description relevance, newest, or one of title, name, year, size, mtime, taken (when a photo was taken), added (when the catalog first saw it), path, duration, pages and width, optionally followed by :asc or :desc */
                        sort?: string;
                        /** @enum {unknown} */
                        status?: "active" | "missing" | "trashed" | "any";
                        tags?: string;
                        /** @description When a photo was taken, by the clock of its camera as if it were UTC. */
                        taken_gte?: number;
                        taken_lte?: number;
                        world_readable?: boolean;
                        year_gte?: number;
                        year_lte?: number;
                    };
                    shared?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        params: {
                            [key: string]: unknown;
                        };
                        shared: boolean;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSavedSearchesSearchId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                search_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        params: {
                            [key: string]: unknown;
                        };
                        shared: boolean;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteSavedSearchesSearchId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                search_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchSavedSearchesSearchId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                search_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    params?: {
                        album?: string[];
                        artist?: string[];
                        author?: string[];
                        camera?: string[];
                        extension?: string[];
                        facets?: boolean;
                        file_category?: string[];
                        file_group?: string[];
                        geo_bottom_lat?: number;
                        geo_lat?: number;
                        geo_left_lng?: number;
                        geo_lng?: number;
                        geo_radius_m?: number;
                        geo_right_lng?: number;
                        /** @enum {unknown} */
                        geo_sort?: "asc" | "desc";
                        geo_top_lat?: number;
                        has_error?: boolean;
                        /** @description The first 8 to 64 hexadecimal digits of a quick or content hash */
                        hash?: string;
                        /** @description Also count sizes and dates by range, and items with errors, text, tags and so on. Needs `facets`. */
                        histograms?: boolean;
                        include_sidecars?: boolean;
                        language?: string[];
                        lens?: string[];
                        library?: string[];
                        limit?: number;
                        mtime_gte?: number;
                        mtime_lte?: number;
                        /** @description Number of hits to skip. Cannot be combined with `cursor`. */
                        offset?: number;
                        path?: string;
                        principal?: string;
                        q?: string;
                        resolution?: string[];
                        /** @enum {unknown} */
                        search_in?: "all" | "content" | "names";
                        /** @description How much meaning counts beside words: 0 is words only, 1 is meaning only. Applies to searches by relevance in all fields. Ignored while search by meaning is off. */
                        semantic?: number;
                        /** Format: uuid */
                        sidecar_of?: string;
                        size_gte?: number;
                        size_lte?: number;
                        /** @description relevance, newest, or one of title, name, year, size, mtime, taken (when a photo was taken), added (when the catalog first saw it), path, duration, pages and width, optionally followed by :asc or :desc */
                        sort?: string;
                        /** @enum {unknown} */
                        status?: "active" | "missing" | "trashed" | "any";
                        tags?: string;
                        /** @description When a photo was taken, by the clock of its camera as if it were UTC. */
                        taken_gte?: number;
                        taken_lte?: number;
                        world_readable?: boolean;
                        year_gte?: number;
                        year_lte?: number;
                    };
                    shared?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        /** Format: uuid */
                        id: string;
                        may_edit: boolean;
                        name: string;
                        owner_name: string;
                        owner_principal: string | null;
                        params: {
                            [key: string]: unknown;
                        };
                        shared: boolean;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getScans: {
        parameters: {
            query?: {
                cursor?: string;
                library_id?: string;
                limit?: number;
                status?: "running" | "stopping" | "stopped" | "failed" | "finished";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            accounting: string;
                            backpressure: {
                                reason: string;
                                /** @enum {unknown} */
                                state: "tripped" | "recovering" | "paused";
                            } | null;
                            bytes_per_s: number;
                            bytes_seen: number;
                            changed: number;
                            current_folder: string | null;
                            elapsed: number;
                            error: string | null;
                            error_code: string | null;
                            estimate: {
                                seconds: number;
                                seen: number;
                                share: number | null;
                            } | null;
                            excluded: number;
                            excluded_filtered: number;
                            excluded_gate: number;
                            files_per_s: number;
                            finished_at: string | null;
                            guard: {
                                annotated?: number;
                                folders: {
                                    count: number;
                                    rel_path: string;
                                }[];
                                /** @enum {unknown} */
                                kind: "empty" | "vanish";
                                of: number;
                                sample: string[];
                                would_vanish: number;
                            } | null;
                            /** Format: uuid */
                            id: string;
                            job_id: string | null;
                            /** Format: uuid */
                            library_id: string;
                            missing: number;
                            moved: number;
                            new: number;
                            permission_denied: number;
                            phase: string;
                            pruned_dirs: number;
                            pruned_files: number | null;
                            pruned_paths: string[];
                            /** @description True when everything below `scope` was scanned. */
                            recursive: boolean;
                            returned: number;
                            /** @description The scanned folder or file; empty for the whole library. Of several folders, the one above them. */
                            scope: string;
                            /** @description The scanned folders. */
                            scopes: string[];
                            seen: number;
                            /**
                             * ScanStages
                             * @description Extraction, thumbnails and indexing continue after the scan itself has ended.
                             */
                            stages: {
                                /** ScanStage */
                                extract: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                hash: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                index: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                thumbnail: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                                /** ScanStage */
                                walk: {
                                    done: number;
                                    failed: number;
                                    rate: number | null;
                                    /** @enum {unknown} */
                                    state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                    total: number | null;
                                };
                            };
                            /** @description True when a running scan has not reported progress for 30 seconds. */
                            stalled: boolean;
                            stalled_since: string | null;
                            /** Format: date-time */
                            started_at: string;
                            stats: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            status: "running" | "stopping" | "stopped" | "failed" | "finished";
                            trigger: string;
                        }[];
                        limit: number;
                        next_cursor: string | null;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getScansScanId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounting: string;
                        backpressure: {
                            reason: string;
                            /** @enum {unknown} */
                            state: "tripped" | "recovering" | "paused";
                        } | null;
                        bytes_per_s: number;
                        bytes_seen: number;
                        changed: number;
                        current_folder: string | null;
                        elapsed: number;
                        error: string | null;
                        error_code: string | null;
                        estimate: {
                            seconds: number;
                            seen: number;
                            share: number | null;
                        } | null;
                        excluded: number;
                        excluded_filtered: number;
                        excluded_gate: number;
                        files_per_s: number;
                        finished_at: string | null;
                        guard: {
                            annotated?: number;
                            folders: {
                                count: number;
                                rel_path: string;
                            }[];
                            /** @enum {unknown} */
                            kind: "empty" | "vanish";
                            of: number;
                            sample: string[];
                            would_vanish: number;
                        } | null;
                        /** Format: uuid */
                        id: string;
                        job_id: string | null;
                        /** Format: uuid */
                        library_id: string;
                        missing: number;
                        moved: number;
                        new: number;
                        permission_denied: number;
                        phase: string;
                        pruned_dirs: number;
                        pruned_files: number | null;
                        pruned_paths: string[];
                        /** @description True when everything below `scope` was scanned. */
                        recursive: boolean;
                        returned: number;
                        /** @description The scanned folder or file; empty for the whole library. Of several folders, the one above them. */
                        scope: string;
                        /** @description The scanned folders. */
                        scopes: string[];
                        seen: number;
                        /**
                         * ScanStages
                         * @description Extraction, thumbnails and indexing continue after the scan itself has ended.
                         */
                        stages: {
                            /** ScanStage */
                            extract: {
                                done: number;
                                failed: number;
                                rate: number | null;
                                /** @enum {unknown} */
                                state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                total: number | null;
                            };
                            /** ScanStage */
                            hash: {
                                done: number;
                                failed: number;
                                rate: number | null;
                                /** @enum {unknown} */
                                state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                total: number | null;
                            };
                            /** ScanStage */
                            index: {
                                done: number;
                                failed: number;
                                rate: number | null;
                                /** @enum {unknown} */
                                state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                total: number | null;
                            };
                            /** ScanStage */
                            thumbnail: {
                                done: number;
                                failed: number;
                                rate: number | null;
                                /** @enum {unknown} */
                                state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                total: number | null;
                            };
                            /** ScanStage */
                            walk: {
                                done: number;
                                failed: number;
                                rate: number | null;
                                /** @enum {unknown} */
                                state: "waiting" | "running" | "paused" | "done" | "stopped" | "failed";
                                total: number | null;
                            };
                        };
                        /** @description True when a running scan has not reported progress for 30 seconds. */
                        stalled: boolean;
                        stalled_since: string | null;
                        /** Format: date-time */
                        started_at: string;
                        stats: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        status: "running" | "stopping" | "stopped" | "failed" | "finished";
                        trigger: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postScansScanIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "running" | "stopping" | "stopped" | "failed" | "finished";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getScansScanIdDiffOtherId: {
        parameters: {
            query?: {
                cursor?: string;
                format?: "json" | "ndjson";
                limit?: number;
            };
            header?: never;
            path: {
                other_id: string;
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or one line per entry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False when the change log of a scan in between was deleted, so that changes may be missing. */
                        complete: boolean;
                        items: {
                            from_library_id: string | null;
                            from_rel_path: string | null;
                            /** Format: uuid */
                            item_id: string;
                            /** @enum {unknown} */
                            kind: "added" | "changed" | "gone" | "returned" | "moved";
                            rel_path: string;
                        }[];
                        /** Format: uuid */
                        library_id: string;
                        limit: number;
                        next_cursor: string | null;
                    };
                    "application/x-ndjson": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getScansScanIdEvents: {
        parameters: {
            query?: {
                /** @description From `events-token`, instead of a header or cookie. */
                stream_token?: string;
            };
            header?: never;
            path: {
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postScansScanIdEventsToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expires_in: number;
                        token: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postScansScanIdForceClear: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        previous_status: "running" | "stopping" | "stopped" | "failed" | "finished";
                        /** @enum {unknown} */
                        status: "running" | "stopping" | "stopped" | "failed" | "finished";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postScansScanIdStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "running" | "stopping" | "stopped" | "failed" | "finished";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearch: {
        parameters: {
            query?: {
                album?: string[];
                artist?: string[];
                author?: string[];
                camera?: string[];
                cursor?: string;
                extension?: string[];
                facets?: boolean;
                file_category?: string[];
                file_group?: string[];
                geo_bottom_lat?: number;
                geo_lat?: number;
                geo_left_lng?: number;
                geo_lng?: number;
                geo_radius_m?: number;
                geo_right_lng?: number;
                geo_sort?: "asc" | "desc";
                geo_top_lat?: number;
                has_error?: boolean;
                /** @description The first 8 to 64 hexadecimal digits of a quick or content hash */
                hash?: string;
                /** @description Also count sizes and dates by range, and items with errors, text, tags and so on. Needs `facets`. */
                histograms?: boolean;
                include_sidecars?: boolean;
                language?: string[];
                lens?: string[];
                library?: string[];
                limit?: number;
                mtime_gte?: number;
                mtime_lte?: number;
                /** @description Number of hits to skip. Cannot be combined with `cursor`. */
                offset?: number;
                path?: string;
                principal?: string;
                q?: string;
                resolution?: string[];
                search_in?: "all" | "content" | "names";
                /** @description How much meaning counts beside words: 0 is words only, 1 is meaning only. Applies to searches by relevance in all fields. Ignored while search by meaning is off. */
                semantic?: number;
                sidecar_of?: string;
                size_gte?: number;
                size_lte?: number;
                /** @description relevance, newest, or one of title, name, year, size, mtime, taken (when a photo was taken), added (when the catalog first saw it), path, duration, pages and width, optionally followed by :asc or :desc */
                sort?: string;
                status?: "active" | "missing" | "trashed" | "any";
                tags?: string;
                /** @description When a photo was taken, by the clock of its camera as if it were UTC. */
                taken_gte?: number;
                taken_lte?: number;
                world_readable?: boolean;
                year_gte?: number;
                year_lte?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        degraded: boolean;
                        did_you_mean: string[];
                        emptied_by: {
                            filter: string;
                            value: string;
                            without: number;
                        }[];
                        facet_stats: {
                            [key: string]: {
                                max: number;
                                min: number;
                            };
                        };
                        facets: {
                            [key: string]: {
                                [key: string]: number;
                            };
                        };
                        histograms: {
                            [key: string]: {
                                count: number;
                                from: number;
                                to: number;
                            }[];
                        };
                        hits: {
                            _geo: {
                                lat: number;
                                lng: number;
                            } | null;
                            distance_m: number | null;
                            duration: number | null;
                            extension: string | null;
                            file_category: string;
                            file_group: string;
                            filename: string;
                            has_error: boolean;
                            has_thumb: boolean;
                            height: number | null;
                            highlight: {
                                filename: string;
                                path: string | null;
                                title: string | null;
                            };
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            library_id: string;
                            matched_by: ("words" | "meaning" | "both") | null;
                            missing_since: string | null;
                            mtime: number;
                            pages: number | null;
                            rel_path: string;
                            score: number;
                            sidecar_of: string | null;
                            similarity_to_query: number | null;
                            size: number;
                            snippet: string | null;
                            status: string;
                            tags: string[];
                            taken: string | null;
                            thumb_version: string | null;
                            title: string | null;
                            width: number | null;
                            year: number | null;
                        }[];
                        next_cursor: string | null;
                        semantic: {
                            applied: boolean;
                            detail: string | null;
                        } | null;
                        took_ms: number;
                        total: number;
                        total_bytes: number | null;
                        understood: {
                            end: number;
                            field: string;
                            negated: boolean;
                            start: number;
                            text: string;
                            value: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearchExport: {
        parameters: {
            query?: {
                album?: string[];
                artist?: string[];
                author?: string[];
                /** @description Start a CSV file with a byte order mark, for Excel */
                bom?: boolean;
                camera?: string[];
                columns?: string;
                extension?: string[];
                file_category?: string[];
                file_group?: string[];
                format?: "csv" | "ndjson" | "xml" | "xlsx";
                geo_bottom_lat?: number;
                geo_lat?: number;
                geo_left_lng?: number;
                geo_lng?: number;
                geo_radius_m?: number;
                geo_right_lng?: number;
                geo_sort?: "asc" | "desc";
                geo_top_lat?: number;
                /** @description Compress the file. XLSX is compressed already. */
                gzip?: boolean;
                has_error?: boolean;
                /** @description The first 8 to 64 hexadecimal digits of a quick or content hash */
                hash?: string;
                include_sidecars?: boolean;
                language?: string[];
                lens?: string[];
                library?: string[];
                mtime_gte?: number;
                mtime_lte?: number;
                path?: string;
                principal?: string;
                q?: string;
                resolution?: string[];
                search_in?: "all" | "content" | "names";
                /** @description How much meaning counts beside words: 0 is words only, 1 is meaning only. Applies to searches by relevance in all fields. Ignored while search by meaning is off. */
                semantic?: number;
                sidecar_of?: string;
                size_gte?: number;
                size_lte?: number;
                /** @description relevance, newest, or one of title, name, year, size, mtime, taken (when a photo was taken), added (when the catalog first saw it), path, duration, pages and width, optionally followed by :asc or :desc */
                sort?: string;
                status?: "active" | "missing" | "trashed" | "any";
                tags?: string;
                /** @description When a photo was taken, by the clock of its camera as if it were UTC. */
                taken_gte?: number;
                taken_lte?: number;
                world_readable?: boolean;
                year_gte?: number;
                year_lte?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearchFederated: {
        parameters: {
            query?: {
                facets?: boolean;
                include_sidecars?: boolean;
                library?: string;
                limit?: number;
                offset?: number;
                q?: string;
                status?: "active" | "missing" | "trashed" | "any";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        facets_by_index: {
                            [key: string]: {
                                [key: string]: {
                                    [key: string]: number;
                                };
                            };
                        };
                        hits: {
                            fields: {
                                [key: string]: unknown;
                            };
                            /** Format: uuid */
                            item_id: string;
                            score: number;
                            /** @enum {unknown} */
                            source: "items" | "passages";
                        }[];
                        indexes: ("items" | "passages")[];
                        limit: number;
                        offset: number;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearchPassages: {
        parameters: {
            query?: {
                library?: string[];
                limit?: number;
                offset?: number;
                q?: string;
                /** @description How much meaning counts beside words: 0 is words only, 1 is meaning only. Ignored while search by meaning is off. */
                semantic?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False when no library has passage search, or its index is not built yet. */
                        available: boolean;
                        degraded: boolean;
                        files: {
                            filename: string;
                            /** Format: uuid */
                            item_id: string;
                            /** Format: uuid */
                            library_id: string;
                            /** @description How many passages of the file match. */
                            matches: number;
                            passages: {
                                chunk_no: number;
                                end: number;
                                heading: string | null;
                                /** Format: uuid */
                                item_id: string;
                                matched_by: ("words" | "meaning" | "both") | null;
                                page: number | null;
                                score: number;
                                snippet: string | null;
                                /** @description Position in the text that GET /items/{item_id}/text returns. */
                                start: number;
                                text: string;
                                /** @description The passage is longer than this text. */
                                truncated: boolean;
                            }[];
                            rel_path: string;
                            score: number;
                        }[];
                        limit: number;
                        offset: number;
                        semantic: {
                            applied: boolean;
                            detail: string | null;
                        } | null;
                        /** @description Files among the best 1,000 matching passages. */
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearchPrincipals: {
        parameters: {
            query?: {
                file_category?: string[];
                library?: string[];
                limit?: number;
                q?: string;
                status?: "active" | "missing" | "trashed" | "any";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        principals: {
                            count: number;
                            value: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearchTags: {
        parameters: {
            query?: {
                file_category?: string[];
                library?: string[];
                limit?: number;
                q?: string;
                status?: "active" | "missing" | "trashed" | "any";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tags: {
                            count: number;
                            value: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSearchTimeline: {
        parameters: {
            query?: {
                album?: string[];
                artist?: string[];
                author?: string[];
                camera?: string[];
                /** @description Which date counts: when a photo was taken, or when a file was modified. */
                date?: "taken" | "modified";
                extension?: string[];
                file_category?: string[];
                file_group?: string[];
                geo_bottom_lat?: number;
                geo_lat?: number;
                geo_left_lng?: number;
                geo_lng?: number;
                geo_radius_m?: number;
                geo_right_lng?: number;
                geo_top_lat?: number;
                has_error?: boolean;
                /** @description The first 8 to 64 hexadecimal digits of a quick or content hash */
                hash?: string;
                include_sidecars?: boolean;
                language?: string[];
                lens?: string[];
                library?: string[];
                mtime_gte?: number;
                mtime_lte?: number;
                path?: string;
                principal?: string;
                q?: string;
                resolution?: string[];
                search_in?: "all" | "content" | "names";
                sidecar_of?: string;
                size_gte?: number;
                size_lte?: number;
                status?: "active" | "missing" | "trashed" | "any";
                tags?: string;
                /** @description When a photo was taken, by the clock of its camera as if it were UTC. */
                taken_gte?: number;
                taken_lte?: number;
                world_readable?: boolean;
                year_gte?: number;
                year_lte?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        date: "taken" | "modified";
                        /** @description Newest first, without empty months. */
                        months: {
                            count: number;
                            /** @description Start of the month in seconds since 1970. */
                            from: number;
                            /** @description Start of the next month. */
                            to: number;
                        }[];
                        total: number;
                        /** @description Hits without a valid date. They come last when sorted by this date. */
                        undated: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getServiceAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** Format: date-time */
                            created_at: string;
                            description: string | null;
                            disabled: boolean;
                            /** Format: uuid */
                            id: string;
                            key_count: number;
                            last_used_at: string | null;
                            name: string;
                        }[];
                        limit: number;
                        next_cursor: null;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postServiceAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        description: string | null;
                        disabled: boolean;
                        /** Format: uuid */
                        id: string;
                        key_count: number;
                        last_used_at: string | null;
                        name: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteServiceAccountsAccountId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchServiceAccountsAccountId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    disabled?: boolean;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        created_at: string;
                        description: string | null;
                        disabled: boolean;
                        /** Format: uuid */
                        id: string;
                        key_count: number;
                        last_used_at: string | null;
                        name: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        by_type?: {
                            [key: string]: {
                                bytes: number;
                                count: number;
                            };
                        };
                        degraded: {
                            [key: string]: string;
                        };
                        disk?: {
                            paths: {
                                free: number;
                                label: string;
                                pct_free: number;
                                status: string;
                            }[];
                            status: string;
                        };
                        extract?: {
                            depth: number;
                            done: number;
                            failed: number;
                            running: number;
                        };
                        extract_errors?: {
                            [key: string]: number;
                        };
                        key_fingerprints?: {
                            secret_key: string;
                        };
                        meili?: {
                            document_count: number;
                            drift: number;
                            healthy: boolean;
                            in_sync: boolean;
                            postgres_items: number;
                        };
                        queues?: {
                            [key: string]: {
                                [key: string]: number;
                            };
                        };
                        semantic?: {
                            embedded_count: number;
                            enabled: boolean;
                            fp_mismatches: number;
                            model: string | null;
                            pending: number;
                        };
                        thumbs?: {
                            budget_bytes: number;
                            bytes: number;
                            count: number;
                            over_budget: boolean;
                        };
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getStatsLibraries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        libraries: {
                            file_count: number;
                            is_agent: boolean;
                            /** Format: uuid */
                            library_id: string;
                            missing_count: number;
                            name: string;
                            sidecar_count: number;
                            total_bytes: number;
                            trashed_count: number;
                        }[];
                        total_bytes: number;
                        total_files: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getStatsTimeline: {
        parameters: {
            query?: {
                bucket?: "day" | "month" | "year";
                library?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        bucket: "day" | "month" | "year";
                        buckets: {
                            count: number;
                            end_epoch: number;
                            /** Format: date-time */
                            start: string;
                            start_epoch: number;
                        }[];
                        /** @description Files whose modification time is in the future or before 1970. */
                        invalid_count: number;
                        invalid_mtime_gte: number;
                        library: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemAbout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            total: number;
                            versions: {
                                count: number;
                                version: string;
                            }[];
                        } | null;
                        application: {
                            console_build: string | null;
                            name: string;
                            node: string;
                            platform: string;
                            source_url: string | null;
                            version: string;
                        };
                        embedding: {
                            cached: boolean;
                            detail: string;
                            downloaded_at: string | null;
                            enabled: boolean;
                            file: string | null;
                            repository: string | null;
                            revision: string | null;
                            size_bytes: number | null;
                        };
                        host_tools: {
                            impact: string | null;
                            minimum_version: string | null;
                            name: string;
                            path: string | null;
                            present: boolean;
                            purpose: string;
                            verdict: string;
                            version: string | null;
                        }[];
                        key_fingerprints: {
                            secret_key: {
                                configured: string | null;
                                message: string | null;
                                /** @enum {unknown} */
                                state: "unset" | "stamped" | "match" | "mismatch" | "missing";
                                stored: string | null;
                            };
                        };
                        packages: {
                            name: string;
                            version: string;
                        }[];
                        /** @description The layers that separate readers of files from the machine. A missing one has a reason and an effect. */
                        sandbox: {
                            active: boolean;
                            effect: string | null;
                            name: string;
                            reason: string | null;
                            title: string;
                        }[];
                        services: {
                            detail: string;
                            error: string | null;
                            name: string;
                            version: string | null;
                        }[];
                        settings: {
                            /** @description False for a setting whose capability is not part of this version. */
                            has_effect: boolean;
                            name: string;
                            section: string;
                            source: string;
                            value: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        incomplete_note: string;
                        /** Format: uuid */
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemBackupTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        config: {
                            access_key_id?: string;
                            bucket?: string;
                            endpoint?: string;
                            /** @description The folder, for targets of the kind folder. */
                            path?: string;
                            prefix?: string;
                            region?: string;
                        };
                        /** @description The copies at this target, newest first. */
                        copies: {
                            attempts: number;
                            bundle: string;
                            bytes: number | null;
                            error: string | null;
                            finished_at: string | null;
                            next_attempt_at: string | null;
                            /** @enum {unknown} */
                            state: "copying" | "retrying" | "done" | "failed";
                        }[];
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        /** @description How many backups the target keeps. */
                        keep: number;
                        /** @enum {unknown} */
                        kind: "folder" | "s3";
                        name: string;
                        warning: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemBackupTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config: {
                        access_key_id?: string;
                        bucket?: string;
                        endpoint?: string;
                        /** @description The folder, for targets of the kind folder. */
                        path?: string;
                        prefix?: string;
                        region?: string;
                    };
                    enabled?: boolean;
                    /** @description How many backups the target keeps. */
                    keep?: number;
                    /** @enum {unknown} */
                    kind: "folder" | "s3";
                    name: string;
                    /** @description Kept encrypted and never returned. Empty keeps the stored one. */
                    secret_access_key?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        config: {
                            access_key_id?: string;
                            bucket?: string;
                            endpoint?: string;
                            /** @description The folder, for targets of the kind folder. */
                            path?: string;
                            prefix?: string;
                            region?: string;
                        };
                        /** @description The copies at this target, newest first. */
                        copies: {
                            attempts: number;
                            bundle: string;
                            bytes: number | null;
                            error: string | null;
                            finished_at: string | null;
                            next_attempt_at: string | null;
                            /** @enum {unknown} */
                            state: "copying" | "retrying" | "done" | "failed";
                        }[];
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        /** @description How many backups the target keeps. */
                        keep: number;
                        /** @enum {unknown} */
                        kind: "folder" | "s3";
                        name: string;
                        warning: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteSystemBackupTargetsTargetId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchSystemBackupTargetsTargetId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config?: {
                        access_key_id?: string;
                        bucket?: string;
                        endpoint?: string;
                        /** @description The folder, for targets of the kind folder. */
                        path?: string;
                        prefix?: string;
                        region?: string;
                    };
                    enabled?: boolean;
                    /** @description How many backups the target keeps. */
                    keep?: number;
                    name?: string;
                    /** @description Kept encrypted and never returned. Empty keeps the stored one. */
                    secret_access_key?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        config: {
                            access_key_id?: string;
                            bucket?: string;
                            endpoint?: string;
                            /** @description The folder, for targets of the kind folder. */
                            path?: string;
                            prefix?: string;
                            region?: string;
                        };
                        /** @description The copies at this target, newest first. */
                        copies: {
                            attempts: number;
                            bundle: string;
                            bytes: number | null;
                            error: string | null;
                            finished_at: string | null;
                            next_attempt_at: string | null;
                            /** @enum {unknown} */
                            state: "copying" | "retrying" | "done" | "failed";
                        }[];
                        enabled: boolean;
                        /** Format: uuid */
                        id: string;
                        /** @description How many backups the target keeps. */
                        keep: number;
                        /** @enum {unknown} */
                        kind: "folder" | "s3";
                        name: string;
                        warning: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemBackupTargetsTargetIdCopy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemBackupTargetsTargetIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        detail: string;
                        ok: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bundles: {
                            app_version: string | null;
                            bytes: number;
                            complete: boolean;
                            created_at: string | null;
                            created_by: string | null;
                            damage: string | null;
                            item_count: number | null;
                            missing: string[];
                            name: string;
                            schema_head: number | null;
                            verification: {
                                error: string | null;
                                ok: boolean;
                                seconds: number;
                                /** Format: date-time */
                                verified_at: string;
                            } | null;
                        }[];
                        dir: string;
                        incomplete_note: string;
                        keep: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        app_version: string | null;
                        bytes: number;
                        complete: boolean;
                        created_at: string | null;
                        created_by: string | null;
                        damage: string | null;
                        item_count: number | null;
                        missing: string[];
                        name: string;
                        schema_head: number | null;
                        verification: {
                            error: string | null;
                            ok: boolean;
                            seconds: number;
                            /** Format: date-time */
                            verified_at: string;
                        } | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemBackupsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteSystemBackupsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemBackupsNameVerify: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemDisk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        paths: {
                            free: number;
                            is_pg: boolean;
                            label: string;
                            path: string;
                            pct_free: number;
                            reason: string | null;
                            /** @enum {unknown} */
                            status: "ok" | "warn" | "critical" | "unknown";
                            total: number;
                            used: number;
                        }[];
                        /** @enum {unknown} */
                        status: "ok" | "warn" | "critical" | "unknown";
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemEmbedBackfill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id is null when a job is queued or running already. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        job_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemEmbeddings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dimension: number | null;
                        download: {
                            file: string;
                            received: number;
                            total: number;
                        } | null;
                        /** @description Items with a vector of this model. */
                        embedded: number;
                        enabled: boolean;
                        error: string | null;
                        /** @description Items that were given up after repeated failures. */
                        failed: number;
                        items_per_second: number | null;
                        /** @description Items with a vector of another model, which will be replaced. */
                        mismatched: number;
                        model: string | null;
                        /** @description Passages with a vector of this model, and those that wait. Equal texts count once. */
                        passages: {
                            embedded: number;
                            pending: number;
                        };
                        paused: boolean;
                        /** @description Items that wait. */
                        pending: number;
                        remaining_seconds: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putSystemEmbeddingsPaused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    paused: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dimension: number | null;
                        download: {
                            file: string;
                            received: number;
                            total: number;
                        } | null;
                        /** @description Items with a vector of this model. */
                        embedded: number;
                        enabled: boolean;
                        error: string | null;
                        /** @description Items that were given up after repeated failures. */
                        failed: number;
                        items_per_second: number | null;
                        /** @description Items with a vector of another model, which will be replaced. */
                        mismatched: number;
                        model: string | null;
                        /** @description Passages with a vector of this model, and those that wait. Equal texts count once. */
                        passages: {
                            embedded: number;
                            pending: number;
                        };
                        paused: boolean;
                        /** @description Items that wait. */
                        pending: number;
                        remaining_seconds: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemFeatures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        features: {
                            count?: number;
                            detail: string;
                            enabled: boolean;
                            env: string | null;
                            key: string;
                            /** @enum {unknown} */
                            scope: "env" | "libraries";
                            title: string;
                            total?: number;
                            value_gb?: number;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemFileGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: string;
                        extensions: string[];
                        file_category: string;
                        id: string;
                        label: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemJobs: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                queue?: string;
                state?: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                task?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            abort_requested: boolean;
                            args: {
                                [key: string]: string;
                            };
                            attempts: number;
                            /** Format: date-time */
                            created_at: string;
                            error: string | null;
                            finished_at: string | null;
                            heartbeat_at: string | null;
                            /** Format: uuid */
                            id: string;
                            lock: string | null;
                            max_attempts: number;
                            priority: number;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            queue: string;
                            requeues: number;
                            /** Format: date-time */
                            run_at: string;
                            started_at: string | null;
                            /** @enum {unknown} */
                            state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                            task: string;
                            traceback: string | null;
                            worker_id: string | null;
                        }[];
                        limit: number;
                        next_cursor: string | null;
                        total: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemJobsJobId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        abort_requested: boolean;
                        args: {
                            [key: string]: string;
                        };
                        attempts: number;
                        /** Format: date-time */
                        created_at: string;
                        error: string | null;
                        finished_at: string | null;
                        heartbeat_at: string | null;
                        /** Format: uuid */
                        id: string;
                        lock: string | null;
                        max_attempts: number;
                        priority: number;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        queue: string;
                        requeues: number;
                        /** Format: date-time */
                        run_at: string;
                        started_at: string | null;
                        /** @enum {unknown} */
                        state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                        task: string;
                        traceback: string | null;
                        worker_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemJobsJobIdAbort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        abort_requested: boolean;
                        args: {
                            [key: string]: string;
                        };
                        attempts: number;
                        /** Format: date-time */
                        created_at: string;
                        error: string | null;
                        finished_at: string | null;
                        heartbeat_at: string | null;
                        /** Format: uuid */
                        id: string;
                        lock: string | null;
                        max_attempts: number;
                        priority: number;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        queue: string;
                        requeues: number;
                        /** Format: date-time */
                        run_at: string;
                        started_at: string | null;
                        /** @enum {unknown} */
                        state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                        task: string;
                        traceback: string | null;
                        worker_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemJobsJobIdRetry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        abort_requested: boolean;
                        args: {
                            [key: string]: string;
                        };
                        attempts: number;
                        /** Format: date-time */
                        created_at: string;
                        error: string | null;
                        finished_at: string | null;
                        heartbeat_at: string | null;
                        /** Format: uuid */
                        id: string;
                        lock: string | null;
                        max_attempts: number;
                        priority: number;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        queue: string;
                        requeues: number;
                        /** Format: date-time */
                        run_at: string;
                        started_at: string | null;
                        /** @enum {unknown} */
                        state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                        task: string;
                        traceback: string | null;
                        worker_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemJobsClearFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    queue?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: number;
                        queue: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemJobsPriority: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    priority: number;
                    /** @enum {unknown} */
                    queue: "scan" | "extract" | "index" | "maintenance" | "alerts" | "thumbs" | "embed" | "exports";
                    /** @enum {string} */
                    scope?: "pending";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        priority: number;
                        queue: string;
                        updated: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemJobsReap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        aborted: number;
                        failed: number;
                        requeued: number;
                        scan_runs_reconciled: number;
                        workers_removed: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemJobsRunning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        args: {
                            [key: string]: string;
                        };
                        attempts: number;
                        /** Format: uuid */
                        id: string;
                        progress: {
                            [key: string]: unknown;
                        } | null;
                        queue: string;
                        retry_cap: number;
                        seconds_running: number;
                        stalled: boolean;
                        stalled_since: string | null;
                        /** Format: date-time */
                        started_at: string;
                        /** @enum {unknown} */
                        state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                        task: string;
                        worker_alive: boolean;
                        worker_id: string;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemJobsSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        failed_recent: {
                            abort_requested: boolean;
                            args: {
                                [key: string]: string;
                            };
                            attempts: number;
                            /** Format: date-time */
                            created_at: string;
                            error: string | null;
                            finished_at: string | null;
                            heartbeat_at: string | null;
                            /** Format: uuid */
                            id: string;
                            lock: string | null;
                            max_attempts: number;
                            priority: number;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            queue: string;
                            requeues: number;
                            /** Format: date-time */
                            run_at: string;
                            started_at: string | null;
                            /** @enum {unknown} */
                            state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                            task: string;
                            traceback: string | null;
                            worker_id: string | null;
                        }[];
                        queues: {
                            [key: string]: {
                                [key: string]: number;
                            };
                        };
                        running: {
                            args: {
                                [key: string]: string;
                            };
                            attempts: number;
                            /** Format: uuid */
                            id: string;
                            progress: {
                                [key: string]: unknown;
                            } | null;
                            queue: string;
                            retry_cap: number;
                            seconds_running: number;
                            stalled: boolean;
                            stalled_since: string | null;
                            /** Format: date-time */
                            started_at: string;
                            /** @enum {unknown} */
                            state: "todo" | "doing" | "aborting" | "failed" | "succeeded";
                            task: string;
                            worker_alive: boolean;
                            worker_id: string;
                        }[];
                        stalled: {
                            by_queue: {
                                [key: string]: number;
                            };
                            total: number;
                        };
                        workers: {
                            alive: boolean;
                            concurrency: number;
                            host: string;
                            id: string;
                            pid: number;
                            queues: string[];
                            /** Format: date-time */
                            started_at: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemLogs: {
        parameters: {
            query?: {
                before_id?: number;
                limit?: number;
                min_level?: "debug" | "info" | "warning" | "error" | "critical";
                q?: string;
                source?: "app" | "worker";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        logs: {
                            exc: string | null;
                            id: number;
                            level: string;
                            logger: string;
                            message: string;
                            source: string;
                            /** Format: date-time */
                            ts: string;
                        }[];
                        next_before_id: number | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: {
                            /** @enum {unknown} */
                            category: "cleanup" | "integrity" | "monitors" | "system" | "ondemand";
                            cron: string | null;
                            default_cron: string | null;
                            description: string;
                            editable: boolean;
                            enabled: boolean;
                            gate: {
                                /** @enum {boolean} */
                                enabled: false;
                                reason: string;
                            } | null;
                            key: string;
                            last_run: {
                                /** Format: date-time */
                                at: string;
                                duration_seconds: number | null;
                                job_id: string;
                                outcome: string | null;
                                started_at: string | null;
                                status: string;
                            } | null;
                            next_run_at: string | null;
                            overridden: boolean;
                            queue: string;
                            runnable: boolean;
                            title: string;
                        }[];
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemMaintenanceMode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: boolean;
                        reason: string | null;
                        started_at: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemMaintenanceMode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    active: boolean;
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: boolean;
                        reason: string | null;
                        started_at: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemMaintenanceTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        category: "cleanup" | "integrity" | "monitors" | "system" | "ondemand";
                        cron: string | null;
                        default_cron: string | null;
                        description: string;
                        editable: boolean;
                        enabled: boolean;
                        gate: {
                            /** @enum {boolean} */
                            enabled: false;
                            reason: string;
                        } | null;
                        key: string;
                        last_run: {
                            /** Format: date-time */
                            at: string;
                            duration_seconds: number | null;
                            job_id: string;
                            outcome: string | null;
                            started_at: string | null;
                            status: string;
                        } | null;
                        next_run_at: string | null;
                        overridden: boolean;
                        queue: string;
                        runnable: boolean;
                        title: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchSystemMaintenanceTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cron?: string | null;
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        category: "cleanup" | "integrity" | "monitors" | "system" | "ondemand";
                        cron: string | null;
                        default_cron: string | null;
                        description: string;
                        editable: boolean;
                        enabled: boolean;
                        gate: {
                            /** @enum {boolean} */
                            enabled: false;
                            reason: string;
                        } | null;
                        key: string;
                        last_run: {
                            /** Format: date-time */
                            at: string;
                            duration_seconds: number | null;
                            job_id: string;
                            outcome: string | null;
                            started_at: string | null;
                            status: string;
                        } | null;
                        next_run_at: string | null;
                        overridden: boolean;
                        queue: string;
                        runnable: boolean;
                        title: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemMaintenanceTaskRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemRebuildIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemReclassifyExtensions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        already_queued: boolean;
                        job_id: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemRetryExtracts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        retried: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemShareMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        container_prefix: string;
                        host: string | null;
                        share_url: string;
                        storage_type: string | null;
                        unc: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    putSystemShareMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entries: {
                        container_prefix: string;
                        host?: string | null;
                        /** @description Names and passwords in it are dropped. */
                        share_url: string;
                        storage_type?: string | null;
                        unc?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        container_prefix: string;
                        host: string | null;
                        share_url: string;
                        storage_type: string | null;
                        unc: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemShareMapPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    entries: {
                        container_prefix: string;
                        host?: string | null;
                        /** @description Names and passwords in it are dropped. */
                        share_url: string;
                        storage_type?: string | null;
                        unc?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        library: string;
                        root_path: string;
                        share_url: string | null;
                        /** @enum {unknown} */
                        source: "manual" | "mount-map" | "none";
                        unc: string | null;
                    }[];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getSystemUpdateCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changelog: {
                            body: string;
                            /** Format: date-time */
                            date: string;
                            is_new: boolean | null;
                            sha: string;
                            subject: string;
                        }[];
                        checked_at: string | null;
                        components: {
                            component: string;
                            detail: string | null;
                            latest: string | null;
                            running: string;
                            update_available: boolean | null;
                        }[];
                        error: string | null;
                        source: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postSystemUpdateCheck: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changelog: {
                            body: string;
                            /** Format: date-time */
                            date: string;
                            is_new: boolean | null;
                            sha: string;
                            subject: string;
                        }[];
                        checked_at: string | null;
                        components: {
                            component: string;
                            detail: string | null;
                            latest: string | null;
                            running: string;
                            update_available: boolean | null;
                        }[];
                        error: string | null;
                        source: string | null;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reclassified_version: number;
                        tree: {
                            description: string;
                            extractor: string | null;
                            groups: {
                                category: string;
                                description: string;
                                extensions: string[];
                                is_builtin: boolean;
                                key: string;
                                label: string;
                                sort_order: number;
                            }[];
                            is_builtin: boolean;
                            key: string;
                            label: string;
                            sort_order: number;
                        }[];
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postTaxonomyCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string;
                    extractor?: ("image" | "audio" | "video" | "document" | "model3d") | null;
                    /** @description lower-case letters, digits and hyphens, at most 64 characters */
                    key: string;
                    label: string;
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: string;
                        extractor: string | null;
                        is_builtin: boolean;
                        key: string;
                        label: string;
                        sort_order: number;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteTaxonomyCategoriesKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchTaxonomyCategoriesKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string;
                    extractor?: ("image" | "audio" | "video" | "document" | "model3d") | null;
                    label?: string;
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: string;
                        extractor: string | null;
                        is_builtin: boolean;
                        key: string;
                        label: string;
                        sort_order: number;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postTaxonomyGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description lower-case letters, digits and hyphens, at most 64 characters */
                    category: string;
                    description?: string;
                    /** @description lower-case letters, digits and hyphens, at most 64 characters */
                    key: string;
                    label: string;
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        category: string;
                        description: string;
                        is_builtin: boolean;
                        key: string;
                        label: string;
                        sort_order: number;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteTaxonomyGroupsKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    patchTaxonomyGroupsKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description lower-case letters, digits and hyphens, at most 64 characters */
                    category?: string;
                    description?: string;
                    label?: string;
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        category: string;
                        description: string;
                        is_builtin: boolean;
                        key: string;
                        label: string;
                        sort_order: number;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postTaxonomyGroupsKeyExtensions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ext: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ext: string;
                        group: string;
                        previous_group: string | null;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteTaxonomyGroupsKeyExtensionsExt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ext: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: string;
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    postTaxonomySyncSeed: {
        parameters: {
            query?: {
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        categories: string[];
                        dry_run: boolean;
                        extensions: string[];
                        groups: string[];
                        version: number;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getTransfersTransferId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        bytes_transferred: number;
                        /** Format: date-time */
                        created_at: string;
                        error: string | null;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        item_id: string;
                        last_range_request_at: string | null;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                        /** Format: uuid */
                        transfer_id: string;
                        /** @description The bytes were compared with the catalog. */
                        verified: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    deleteTransfersTransferId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        agent_id: string;
                        bytes_transferred: number;
                        /** Format: date-time */
                        created_at: string;
                        error: string | null;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        item_id: string;
                        last_range_request_at: string | null;
                        /** @enum {unknown} */
                        state: "pending" | "uploading" | "verifying" | "staged" | "failed" | "expired";
                        total_bytes: number | null;
                        /** Format: uuid */
                        transfer_id: string;
                        /** @description The bytes were compared with the catalog. */
                        verified: boolean;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getTransfersTransferIdDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transfer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents_enabled: boolean;
                        app_version: string;
                        build_stamp: string | null;
                        source_url: string;
                    };
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        code: string;
                        detail: string;
                        errors?: {
                            loc: (string | number)[];
                            msg: string;
                            type: string;
                        }[];
                        instance?: string;
                        status: number;
                        title: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
}
