// The setting of the audit trail.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

export const auditSettings = defineSetting({
  name: 'Latchkey.Audit',
  scope: 'general',
  category: 'Audit trail',
  label: 'Audit trail',
  description: 'How long the service keeps audit entries.',
  kind: 'compound',
  order: 410,
  public: false,
  schema: Type.Object({
    retentionDays: Type.Integer({
      title: 'Retention',
      description: 'The service deletes older entries. It always keeps the newest one.',
      minimum: 30,
      maximum: 3650,
      'x-unit': 'days',
    }),
  }),
  default: { retentionDays: 365 },
});
