// The setting of persons: whether account owners may erase their account themselves.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

export const ownErasureSetting = defineSetting({
  name: 'Latchkey.OwnErasure',
  scope: 'general',
  category: 'Security',
  label: 'Own accounts',
  description: 'What account owners may do with their whole account.',
  kind: 'compound',
  order: 347,
  public: true,
  isGuarded: true,
  schema: Type.Object({
    isOffered: Type.Boolean({
      title: 'Delete the own account',
      description:
        'Account owners, except administrators, may delete their account with all personal data, after they have proven who they are. Nothing can bring it back.',
    }),
  }),
  default: { isOffered: false },
});
