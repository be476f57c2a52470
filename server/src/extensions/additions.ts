// What extensions add to the service, gathered while they are loaded.
import type { Occurrence } from '../foundation/events.ts';
import type { SettingDefinition, SettingReader } from '../foundation/setting.ts';
import type { ExternalLoginProviderInfo, Reviewer } from '../providers/index.ts';

export type Additions = {
  readonly providers: readonly ExternalLoginProviderInfo[];
  readonly reviewers: readonly Reviewer[];
  readonly settings: readonly SettingDefinition[];
  readonly listeners: readonly ((occurrence: Occurrence) => void)[];
  /** Told where the values of settings are read, once they are loaded. */
  readonly useSettings: (settings: SettingReader) => void;
};

/** Of a service without extensions. */
export const noAdditions: Additions = { providers: [], reviewers: [], settings: [], listeners: [], useSettings() {} };
