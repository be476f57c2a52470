// Settings that only Shesha knows: its clients read some of them at start, and must not fail because of them.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

export const compatibilitySetting = defineSetting({
  name: 'Latchkey.Compatibility',
  scope: 'general',
  category: 'Compatibility',
  label: 'Compatibility',
  description: 'What clients of Shesha and ABP need from this service.',
  kind: 'compound',
  order: 420,
  public: false,
  schema: Type.Object({
    nullSettings: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      title: 'Settings without a value',
      description: 'The names of settings for which Settings/GetValue answers null instead of 404.',
      maxItems: 100,
    }),
    refusedSignInStatus: Type.Enum([401, 400], {
      title: 'Status of a refused sign-in',
      description:
        'Clients of ABP reload their page after every 401, and the reason of the refusal disappears. After 400 it stays.',
      'x-labels': ['401 Unauthorized', '400 Bad Request: for clients of ABP'],
    }),
  }),
  default: {
    nullSettings: [
      'Shesha.DefaultUrl',
      'Shesha.ThemeSettings',
      'Shesha.MainMenuSettings',
      'Shesha.FrontendApplication',
    ],
    refusedSignInStatus: 401,
  },
});
