// The texts in English of the pages with many: settings, the audit trail, and what users sign in with and to.
import { api } from './en-api.ts';
import { applications } from './en-applications.ts';
import { audit } from './en-audit.ts';
import { brand } from './en-brand.ts';
import { connect } from './en-connect.ts';
import { externalProviders } from './en-external-providers.ts';
import { definitions, settings } from './en-settings.ts';
import { webhooks } from './en-webhooks.ts';

export const administration = {
  api,
  applications,
  audit,
  brand,
  connect,
  definitions,
  externalProviders,
  settings,
  webhooks,
};
