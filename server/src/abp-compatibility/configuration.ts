// The start-up configuration of ABP's clients: who is signed in, what that account may do, languages and public settings.
import { type Language, languages } from './culture.ts';

/** `host` of ABP's sides: an application without tenants has no other. */
const HOST = 2;

/** What the configuration is made from. */
export type ConfigurationFacts = {
  readonly userId: number | null;
  readonly grantedPermissions: readonly string[];
  readonly allPermissions: readonly string[];
  readonly language: Language;
  /** Public settings, by name. */
  readonly settings: Readonly<Record<string, unknown>>;
};

const toFlags = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'true']));

/** ABP keeps settings as texts. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const describe = ({ name, displayName, icon }: Language) => ({
  name,
  displayName,
  icon,
  isDefault: name === languages[0].name,
  isDisabled: false,
  isRightToLeft: false,
});

/** Returns the configuration: the members that ABP's start-up script reads, and the others that `abp.d.ts` declares. */
export function toAbpConfiguration(facts: ConfigurationFacts) {
  const { userId, grantedPermissions, allPermissions, language, settings } = facts;
  return {
    multiTenancy: { isEnabled: false, ignoreFeatureCheckForHostUsers: false, sides: { host: HOST, tenant: 1 } },
    session: {
      userId,
      tenantId: null,
      impersonatorUserId: null,
      impersonatorTenantId: null,
      multiTenancySide: HOST,
    },
    localization: {
      currentCulture: { name: language.name, displayName: language.displayName },
      languages: languages.map(describe),
      currentLanguage: describe(language),
      sources: [],
      values: {},
    },
    features: { allFeatures: {} },
    auth: { allPermissions: toFlags(allPermissions), grantedPermissions: toFlags(grantedPermissions) },
    nav: { menus: {} },
    setting: { values: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, toText(value)])) },
    clock: { provider: 'unspecifiedClockProvider' },
    timing: {
      timeZoneInfo: {
        windows: {
          timeZoneId: 'UTC',
          baseUtcOffsetInMilliseconds: 0,
          currentUtcOffsetInMilliseconds: 0,
          isDaylightSavingTimeNow: false,
        },
        iana: { timeZoneId: 'Etc/UTC' },
      },
    },
    security: { antiForgery: { tokenCookieName: 'XSRF-TOKEN', tokenHeaderName: 'X-XSRF-TOKEN' } },
    custom: {},
  };
}
