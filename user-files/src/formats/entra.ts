// Microsoft Entra ID: CSV of its portal and of PowerShell, and users as Microsoft Graph lists them. It exports no password hashes.
import type { Values } from '../entry.ts';
import { type Format, present, toLogins, toNames } from '../format.ts';
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
        const mail = ownName('emailAddress') ?? fields.text('mail', 'otherMails');
        const principal = fields.text('userPrincipalName');
        // The principal name of a guest is no address: `ann_example.org#EXT#@contoso.onmicrosoft.com`.
        const [, guest] = /^(.+)#EXT#/.exec(principal ?? '') ?? [];
        // That of a local account in a directory of customers is made up.
        const own = ownName('userName') ?? ownName('emailAddress');
        return present({
          ...toNames(own ?? (guest === undefined ? principal : (mail ?? guest)), mail),
          name: fields.text('givenName', 'displayName'),
          surname: fields.text('surname'),
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
