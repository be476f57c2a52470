// Configuration as code: a YAML file of settings, front ends, brands, roles, applications, providers, webhooks and service keys.
import type { Service } from '../app/compose.ts';
import { createFrontEndKind, createRoleKind, createServiceKeyKind, createWebhookKind } from './collections.ts';
import { type Configuration, createConfiguration, toAnyKind } from './configuration.ts';
import { createSettingKind } from './settings.ts';
import { createApplicationKind, createExternalProviderKind } from './sign-in-collections.ts';

export type { Outcome } from './configuration.ts';
export { describeDifferences } from './differences.ts';
export { formatConfiguration } from './export.ts';
export { type ConfigurationFile, parseConfiguration, readConfigurationFile } from './file.ts';
export { requireKnownMembers, secretsOf } from './members.ts';
export { isReference } from './references.ts';
export { refusing, toPlace } from './refusing.ts';
export { sections } from './sections.ts';

/** Returns the configuration of a service. */
export const configurationOf = (service: Service): Configuration =>
  createConfiguration({
    database: service.database,
    async lockServiceKeys(tx) {
      await service.accounts.lockAccounts(tx.sql);
      await service.serviceKeys.lock(tx);
    },
    lockEveryAccount: (tx) => service.accounts.lockEveryAccount(tx.sql),
    // Roles first: changes on the pages hold a role before they wait for anything else.
    kinds: [
      toAnyKind(createRoleKind(service.roles)),
      toAnyKind(createFrontEndKind(service.frontEnds)),
      toAnyKind(createSettingKind(service)),
      toAnyKind(createApplicationKind(service.applications, service.roles)),
      toAnyKind(createExternalProviderKind(service.externalProviders)),
      toAnyKind(createWebhookKind(service.webhooks)),
      toAnyKind(createServiceKeyKind(service.serviceKeys)),
    ],
  });
