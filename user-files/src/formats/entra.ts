// Microsoft Entra ID: CSV of its portal and of PowerShell, and users as Microsoft Graph lists them. It exports no password hashes.
import type { Values } from '../entry.ts';
import { type Format, present, toLogins } from '../format.ts';
import { readObject, readText } from '../values.ts';

export const entra: Format = {
  name: 'entra',
  title: 'Microsoft Entra ID',
  hasNoHashes: true,
  tables: [
    {
      is: (_, fields) => fields.has('userPrincipalName'),
      read(fields) {
        const identities = fields.list('identities').flatMap((one): Values[] => {
          const identity = readObject(one);
          return identity ? [identity] : [];
        });
        const ownName = (type: string) =>
          readText(identities.find(({ signInType }) => signInType === type)?.issuerAssignedId);
        const mail = fields.text('mail', 'otherMails') ?? ownName('emailAddress');
        const principal = fields.text('userPrincipalName');
        return present({
          // The principal name of a guest is no address.
          userName: ownName('userName') ?? (principal?.includes('#EXT#') ? (mail ?? principal) : principal),
          name: fields.text('givenName', 'displayName'),
          surname: fields.text('surname'),
          emailAddress: mail,
          mobileNumber: fields.text('mobilePhone', 'mobile'),
          isActive: fields.flag('accountEnabled'),
          isDeleted: fields.time('deletedDateTime') === undefined ? undefined : true,
          creationTime: fields.time('createdDateTime'),
          externalLogins: toLogins([
            { provider: 'entra', providerKey: fields.text('id', 'objectId') },
            ...identities
              .filter(({ signInType }) => signInType === 'federated')
              .map(({ issuer, issuerAssignedId }) => ({ provider: issuer, providerKey: issuerAssignedId })),
          ]),
        });
      },
    },
  ],
};
