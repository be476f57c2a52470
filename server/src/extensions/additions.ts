// What extensions add to the service, gathered while they are loaded.
import type { Occurrence } from '../foundation/events.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import type { ExternalLoginProviderInfo, Reviewer } from '../providers/index.ts';

export type Additions = {
  readonly providers: readonly ExternalLoginProviderInfo[];
  readonly reviewers: readonly Reviewer[];
  readonly settings: readonly SettingDefinition[];
  readonly listeners: readonly ((occurrence: Occurrence) => void)[];
};

/** Of a service without extensions. */
export const noAdditions: Additions = { providers: [], reviewers: [], settings: [], listeners: [] };
