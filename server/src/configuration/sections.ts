// The sections of a file that list things by name, with the members of each: what the calls for them take.
import { Type } from 'typebox';
import { ApplicationMembers } from '../applications/index.ts';
import { Secret } from '../contract/schemas.ts';
import { FrontEndMembers } from '../front-ends/index.ts';
import { ProviderMembers } from '../providers/index.ts';
import { CreateRoleInput } from '../roles/index.ts';
import { ServiceKeyMembers } from '../service-keys/index.ts';
import { WebhookMembers } from '../webhooks/index.ts';

const { name, ...frontEnd } = FrontEndMembers.properties;

/** What a section holds. `nameMember` is the member of the call that is the name here. */
export const sections = {
  frontEnds: { nameMember: 'appKey', schema: Type.Object({ ...frontEnd, name: Type.Optional(name) }) },
  roles: { nameMember: 'name', schema: CreateRoleInput },
  applications: {
    nameMember: 'clientId',
    schema: Type.Object({ ...ApplicationMembers.properties, clientSecret: Type.Optional(Secret({ maxLength: 200 })) }),
  },
  externalProviders: { nameMember: 'name', schema: ProviderMembers },
  webhooks: {
    nameMember: 'url',
    schema: Type.Object({ ...WebhookMembers.properties, secret: Type.Optional(Secret({ maxLength: 200 })) }),
  },
  serviceKeys: {
    nameMember: 'name',
    schema: Type.Object({ ...ServiceKeyMembers.properties, key: Type.Optional(Secret({ maxLength: 200 })) }),
  },
} as const;

/** The members of a file, in the order in which `export` writes them. */
export const SECTIONS = [
  'settings',
  'frontEnds',
  'brands',
  'roles',
  'applications',
  'externalProviders',
  'webhooks',
  'serviceKeys',
] as const;
