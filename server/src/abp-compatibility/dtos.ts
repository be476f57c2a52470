// The shapes that ABP's start-up script and its session service read.
import { Type } from 'typebox';
import { NamedObject, Nullable } from '../contract/schemas.ts';

const Text = Type.String();
const Flags = Type.Record(Text, Text);

const Language = NamedObject('AbpLanguage', {
  name: Text,
  displayName: Text,
  icon: Text,
  isDefault: Type.Boolean(),
  isDisabled: Type.Boolean(),
  isRightToLeft: Type.Boolean(),
});

const TimeZoneInfo = NamedObject('AbpTimeZoneInfo', {
  windows: NamedObject('AbpWindowsTimeZone', {
    timeZoneId: Text,
    baseUtcOffsetInMilliseconds: Type.Integer(),
    currentUtcOffsetInMilliseconds: Type.Integer(),
    isDaylightSavingTimeNow: Type.Boolean(),
  }),
  iana: NamedObject('AbpIanaTimeZone', { timeZoneId: Text }),
});

export const AbpConfiguration = NamedObject('AbpUserConfiguration', {
  multiTenancy: NamedObject('AbpMultiTenancy', {
    isEnabled: Type.Boolean(),
    ignoreFeatureCheckForHostUsers: Type.Boolean(),
    sides: NamedObject('AbpMultiTenancySides', { host: Type.Integer(), tenant: Type.Integer() }),
  }),
  session: NamedObject('AbpSession', {
    userId: Nullable(Type.Integer()),
    tenantId: Type.Null(),
    impersonatorUserId: Type.Null(),
    impersonatorTenantId: Type.Null(),
    multiTenancySide: Type.Integer(),
  }),
  localization: NamedObject('AbpLocalization', {
    currentCulture: NamedObject('AbpCulture', { name: Text, displayName: Text }),
    languages: Type.Array(Language),
    currentLanguage: Language,
    sources: Type.Array(NamedObject('AbpLocalizationSource', { name: Text, type: Text })),
    values: Type.Record(Text, Flags),
  }),
  features: NamedObject('AbpFeatures', {
    allFeatures: Type.Record(Text, NamedObject('AbpFeature', { value: Text })),
  }),
  auth: NamedObject('AbpAuth', { allPermissions: Flags, grantedPermissions: Flags }),
  nav: NamedObject('AbpNavigation', { menus: Type.Record(Text, Type.Unknown()) }),
  setting: NamedObject('AbpSettings', { values: Flags }),
  clock: NamedObject('AbpClock', { provider: Text }),
  timing: NamedObject('AbpTiming', { timeZoneInfo: TimeZoneInfo }),
  security: NamedObject('AbpSecurity', {
    antiForgery: NamedObject('AbpAntiForgery', { tokenCookieName: Text, tokenHeaderName: Text }),
  }),
  custom: Type.Record(Text, Type.Unknown()),
});

export const LoginInformations = NamedObject('AbpLoginInformations', {
  application: NamedObject('AbpApplication', {
    version: Text,
    releaseDate: Type.String({ format: 'date-time' }),
    features: Type.Record(Text, Type.Boolean()),
  }),
  user: Nullable(
    NamedObject('AbpUser', {
      id: Type.Integer(),
      name: Text,
      surname: Text,
      userName: Text,
      emailAddress: Nullable(Text),
    }),
  ),
  tenant: Type.Null(),
});

export const TenantAvailability = NamedObject('AbpTenantAvailability', {
  state: Type.Integer({ description: 'Always 3: not found. There are no tenants.' }),
  tenantId: Type.Null(),
});
