// What extensions add to the service, collected while they are loaded.
import type { Occurrence } from '../foundation/events.ts';
import type { SettingDefinition, SettingReader } from '../foundation/setting.ts';
import type { ExternalLoginProviderInfo, Reviewer } from '../providers/index.ts';

export type Additions = {
  readonly providers: readonly ExternalLoginProviderInfo[];
  readonly reviewers: readonly Reviewer[];
  readonly settings: readonly SettingDefinition[];
  readonly listeners: readonly ((occurrence: Occurrence) => void)[];
  /** Gives extensions the reader of settings, after the settings have been loaded. */
  readonly useSettings: (settings: SettingReader) => void;
  /** Whether extensions are configured that this process has not loaded. Default: none are. */
  readonly areIncomplete?: boolean;
};

/** The additions of a service without extensions. */
export const noAdditions: Additions = { providers: [], reviewers: [], settings: [], listeners: [], useSettings() {} };
