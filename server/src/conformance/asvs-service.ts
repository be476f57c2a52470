// OWASP ASVS 5.0: what of V2, V8, V11, V13, V14 and V16 concerns the service.
import type { Requirement } from './requirement.ts';
import { secondFactorForPower } from './settings.ts';

const logic: readonly Requirement[] = [
  {
    id: 'V2.1.1',
    level: 'L1',
    text: 'The rules for input are documented.',
    held: [
      'scenarios/openapi › is valid OpenAPI 3.1, and every reference resolves',
      'scenarios/openapi › names every object that is sent or returned',
    ],
  },
  {
    id: 'V2.1.2',
    level: 'L2',
    text: 'The rules between members of an input are documented.',
    documented: ['settings#limits', 'configuration-as-code#limits'],
    notHeld: 'The rules are in the messages of the service, and only in part in the guide.',
  },
  {
    id: 'V2.1.3',
    level: 'L2',
    text: 'The limits of each user and of the whole are documented.',
    documented: ['security#rate-limits', 'security#one-time-pins', 'security#what-owners-are-told'],
  },
  {
    id: 'V2.2.1',
    level: 'L1',
    text: 'All input is checked against what is expected.',
    held: [
      'attacks/generated-requests › cause no fault when they come from …, and change no data of other accounts',
      'attacks/settings › are refused out of bounds or of another type, without any change',
    ],
  },
  {
    id: 'V2.2.2',
    level: 'L1',
    text: 'The service checks input, whatever the pages check.',
    held: ['attacks/generated-requests › cause no fault when they come from …, and change no data of other accounts'],
  },
  {
    id: 'V2.2.3',
    level: 'L2',
    text: 'Members that belong together must fit.',
    held: [
      'scenarios/settings › refuses … for …, and changes nothing',
      'src/applications/application › refuse what would weaken them',
    ],
  },
  {
    id: 'V2.3.1',
    level: 'L1',
    text: 'Steps cannot be left out or taken in another order.',
    held: [
      'attacks/registration › register nothing before the right pin is verified',
      'attacks/second-factor › opens no session and records no sign-in before it is verified',
    ],
  },
  {
    id: 'V2.3.2',
    level: 'L2',
    text: 'The documented limits hold.',
    held: [
      'attacks/pins › can be requested up to the daily limit, and again a day after the first request',
      'attacks/owner-notices › are of 30 changes a day at most, of any kind and at the same time; removals are always possible',
    ],
  },
  {
    id: 'V2.3.3',
    level: 'L2',
    text: 'An act is done as a whole or not at all.',
    held: [
      'attacks/reset-faults › is done completely or not at all when only … transactions succeed',
      'storage/database › undoes a transaction that fails, and runs none of its effects',
    ],
  },
  {
    id: 'V2.3.4',
    level: 'L2',
    text: 'What is there once cannot be taken twice.',
    held: [
      'attacks/races › lets exactly one of many parallel refreshes win',
      'attacks/privileges › creates one account of many that are created concurrently with one name, address or number',
    ],
  },
  {
    id: 'V2.3.5',
    level: 'L3',
    text: 'The most valuable acts need the approval of a second person.',
    notHeld: 'One administrator with the permission is enough. The audit trail and webhooks tell others.',
  },
  {
    id: 'V2.4.1',
    level: 'L2',
    text: 'Excessive calls are stopped where they cost something.',
    held: [
      'attacks/rate-limits › allow exactly the budget for concurrent requests',
      'attacks/sms-costs › are limited: …',
      'src/passwords/passwords › refuses a caller that holds its share, by network or account, for either operation',
    ],
  },
  {
    id: 'V2.4.2',
    level: 'L3',
    text: 'Acts take the time that a human needs.',
    notHeld: 'Limits count requests. No step has a shortest time.',
  },
];

const authorization: readonly Requirement[] = [
  {
    id: 'V8.1.1',
    level: 'L1',
    text: 'The documentation says who may call what, and see which data.',
    documented: ['roles#permissions-of-latchkey', 'security#administrators'],
  },
  {
    id: 'V8.1.2',
    level: 'L2',
    text: 'The documentation says who may read and change which members.',
    documented: ['roles#what-a-holder-can-do-with-roles', 'users#change-an-address'],
  },
  {
    id: 'V8.1.3',
    level: 'L3',
    text: 'The documentation names the circumstances that count, such as address or device.',
    documented: ['security#rate-limits', 'second-factors#settings'],
  },
  {
    id: 'V8.1.4',
    level: 'L3',
    text: 'The documentation says how circumstances change a decision.',
    documented: ['security#lockout', 'security#rate-limits', 'second-factors#require-it'],
  },
  {
    id: 'V8.2.1',
    level: 'L1',
    text: 'A call needs its permission.',
    held: [
      'attacks/privileges › refuses an ordinary user every call that requires a permission, with any input',
      'attacks/privileges › requires a token for every call that is not public',
    ],
  },
  {
    id: 'V8.2.2',
    level: 'L1',
    text: 'Nobody reaches the data of others by their ids.',
    held: [
      'attacks/generated-requests › cause no fault when they come from …, and change no data of other accounts',
      'attacks/sessions › of other accounts can be neither ended nor listed',
    ],
  },
  {
    id: 'V8.2.3',
    level: 'L2',
    text: 'Nobody reads or changes members that are not theirs.',
    held: [
      'attacks/recovery-addresses › nobody changes or verifies the own addresses by the calls of administrators',
      'attacks/maintainers › links, factors and the texts with a secret change with all permissions only',
      'attacks/input › with unknown members is stored without them',
    ],
  },
  {
    id: 'V8.2.4',
    level: 'L3',
    text: 'Place, time and device change what a person may do, at the sign-in and later.',
    notHeld: 'The service knows trusted devices and counts by address. It judges neither place nor time.',
  },
  {
    id: 'V8.3.1',
    level: 'L1',
    text: 'The service authorizes, not the page.',
    held: ['attacks/privileges › refuses an ordinary user every call that requires a permission, with any input'],
  },
  {
    id: 'V8.3.2',
    level: 'L3',
    text: 'A change of rights applies at once.',
    held: [
      'attacks/roles › a permission ends and begins on every node when the change is answered, for reads too',
      'attacks/authority › changes nothing by any administrative call whose body arrives after the end',
    ],
    yours: 'Services that trust the roles in a token until it expires must introspect, or follow the feed.',
  },
  {
    id: 'V8.3.3',
    level: 'L3',
    text: 'A service that acts for a person has no more rights than the person.',
    held: ['attacks/application-tokens › opens no call of the API, and ends nothing'],
  },
  {
    id: 'V8.4.1',
    level: 'L2',
    text: 'Tenants cannot reach each other.',
    absent: 'An installation has one tenant.',
  },
  {
    id: 'V8.4.2',
    level: 'L3',
    text: 'Administration is guarded in several layers, and not by the network alone.',
    held: [
      'scenarios/factor-policy › applies to accounts with permissions only, and from the next call after they have one',
    ],
    settable: [secondFactorForPower],
    notHeld: 'The state of the device and the risk of the circumstances are not judged.',
  },
];

const cryptography: readonly Requirement[] = [
  {
    id: 'V11.1.1',
    level: 'L2',
    text: 'A documented policy says how keys are made, kept, replaced and destroyed.',
    documented: ['operating#signing-keys', 'operating#secrets'],
    yours: 'The secret of the service has no schedule of its own: replacing it means that everybody signs in again.',
  },
  {
    id: 'V11.1.2',
    level: 'L2',
    text: 'There is an inventory of keys, algorithms and certificates.',
    documented: ['security#keys-and-algorithms'],
    held: ['architecture/cryptography › stands where the inventory in the guide says, and nowhere else'],
    yours: 'List your certificates, and the keys of your applications.',
  },
  {
    id: 'V11.1.3',
    level: 'L3',
    text: 'All places with cryptography are found by a tool.',
    held: [
      'architecture/cryptography › stands where the inventory in the guide says, and nowhere else',
      'architecture/cryptography › is of approved algorithms alone',
    ],
  },
  {
    id: 'V11.1.4',
    level: 'L3',
    text: 'A plan says how to move to other algorithms, such as those that resist quantum computers.',
    notHeld: 'There is none.',
  },
  {
    id: 'V11.2.1',
    level: 'L2',
    text: 'Cryptography comes from validated implementations.',
    notHeld:
      'Not proven by a test. The service uses OpenSSL in Node and argon2 of @node-rs; its own code only combines them.',
  },
  {
    id: 'V11.2.2',
    level: 'L2',
    text: 'Algorithms, parameters and keys can be replaced.',
    held: [
      'attacks/keys › rotate under load without ending a session',
      'src/passwords/passwords › reports matching hashes that are weaker or foreign as outdated',
    ],
    notHeld: 'The algorithms of access tokens and of the encryption in the database are fixed.',
  },
  {
    id: 'V11.2.3',
    level: 'L2',
    text: 'All primitives have 128 bits of security.',
    held: [
      'src/applications/application › a client secret has letters and digits, of at least 256 bits',
      'attacks/weak-start › of few different characters is refused as …, without being printed',
      'src/tokens/id-tokens › are there when they are first needed, once for all who ask, and not before',
    ],
    notHeld:
      'Passkeys, and keys with which applications authenticate, may be RSA of 2,048 bits, about 112: authenticators and applications make them.',
  },
  {
    id: 'V11.2.4',
    level: 'L3',
    text: 'Secrets are compared in constant time.',
    held: [
      'src/proofs/pin › compares keyed hashes of any length',
      'src/passwords/passwords › never matches without a hash or with a corrupt one',
    ],
    notHeld: 'Shown for pins only. Other secrets are found by their keyed hash in an index.',
  },
  {
    id: 'V11.2.5',
    level: 'L3',
    text: 'Cryptography fails safely.',
    held: [
      'src/passwords/hashes › never throws and never matches: any text',
      'attacks/restart › is not opened with another secret: one line says why, without revealing a secret',
    ],
  },
  {
    id: 'V11.3.1',
    level: 'L1',
    text: 'No ECB and no weak padding.',
    held: ['architecture/cryptography › is of approved algorithms alone'],
  },
  {
    id: 'V11.3.2',
    level: 'L1',
    text: 'Only approved ciphers, such as AES-GCM.',
    held: ['architecture/cryptography › is of approved algorithms alone'],
  },
  {
    id: 'V11.3.3',
    level: 'L2',
    text: 'Encrypted data cannot be changed unnoticed.',
    held: ['architecture/cryptography › refuses a sealed text that was changed, or is of another label or secret'],
  },
  {
    id: 'V11.3.4',
    level: 'L3',
    text: 'A nonce is used once with a key.',
    held: ['architecture/cryptography › seals the same text in another way each time'],
  },
  {
    id: 'V11.3.5',
    level: 'L3',
    text: 'A cipher with a separate MAC encrypts first.',
    absent: 'AES-GCM needs none.',
  },
  {
    id: 'V11.4.1',
    level: 'L1',
    text: 'Only approved hash functions. MD5 nowhere.',
    held: ['architecture/cryptography › is of approved algorithms alone'],
    notHeld:
      'Imported hashes of other systems, also of MD5 and SHA-1, are verified until their owner signs in once. Authenticator apps use HMAC-SHA1, as RFC 6238 says.',
  },
  {
    id: 'V11.4.2',
    level: 'L2',
    text: 'Passwords are stored with a slow function of current strength.',
    held: [
      'src/passwords/passwords › creates argon2id with 19456 KiB, two passes, one lane, and a new salt for each hash',
    ],
  },
  {
    id: 'V11.4.3',
    level: 'L2',
    text: 'Hashes of signatures and of integrity have 256 bits.',
    held: [
      'architecture/cryptography › is of approved algorithms alone',
      'src/audit/chain › numbers all entries without gaps, and verifies',
    ],
  },
  {
    id: 'V11.4.4',
    level: 'L2',
    text: 'Keys from passwords are derived by a slow function.',
    absent: 'No key comes from a password. `LATCHKEY_SECRET` must be random.',
  },
  {
    id: 'V11.5.1',
    level: 'L2',
    text: 'What must not be guessed is random with 128 bits.',
    held: [
      'architecture/conventions › time and chance stand only in foundation/',
      'attacks/password-reset › work for the account that they were sent to, and for no other',
    ],
    notHeld: 'Pins are shorter, so that people can type them, and recovery codes have 125 bits. Tries are limited.',
  },
  {
    id: 'V11.5.2',
    level: 'L3',
    text: 'Random numbers are safe under load.',
    notHeld: 'Not proven by a test. They come from the operating system by Node.',
  },
  {
    id: 'V11.6.1',
    level: 'L2',
    text: 'Key pairs and signatures are of approved algorithms, without known weak keys.',
    held: [
      'src/factors/credential-key › may be of P-256, Ed25519, or RSA with 2048 to 4096 bits',
      'src/applications/application › are strong, and public',
    ],
  },
  {
    id: 'V11.6.2',
    level: 'L3',
    text: 'Keys are exchanged by approved algorithms.',
    yours: 'Your proxy, mail server and database agree on TLS.',
  },
  {
    id: 'V11.7.1',
    level: 'L3',
    text: 'Memory is encrypted.',
    yours: 'Run the service on hardware that does it.',
  },
  {
    id: 'V11.7.2',
    level: 'L3',
    text: 'As little data as possible is open while it is used.',
    held: ['scenarios/delivery › counts the outcomes of messages, shows no outbox, and logs nothing of their text'],
    notHeld:
      'Texts of messages are sealed and erased when they are sent. Other personal data are not encrypted in the database.',
  },
];

const configuration: readonly Requirement[] = [
  {
    id: 'V13.1.1',
    level: 'L2',
    text: 'All that the service connects to is documented, also what users can make it call.',
    documented: ['operating#environment', 'webhooks#which-addresses-it-calls', 'external-providers#limits'],
  },
  {
    id: 'V13.1.2',
    level: 'L3',
    text: 'The most connections to each service are documented, and what happens beyond.',
    documented: ['scaling#connections-and-poolers', 'runbook#latchkeyconnectionsusedup'],
  },
  {
    id: 'V13.1.3',
    level: 'L3',
    text: 'Timeouts, retries and releases are documented for each service.',
    documented: ['delivery#what-happens-to-a-message', 'external-providers#errors'],
  },
  {
    id: 'V13.1.4',
    level: 'L3',
    text: 'Critical secrets and the schedule of their replacement are documented.',
    documented: ['operating#secrets', 'operating#signing-keys'],
    yours: 'Choose a schedule for service keys, client secrets and the secrets of gateways.',
  },
  {
    id: 'V13.2.1',
    level: 'L2',
    text: 'Services authenticate to each other with accounts of their own and credentials that change.',
    held: [
      'scenarios/service-keys › lets two keys overlap, and refuses the withdrawn one at once on every node',
      'storage/postgres-tls › shows the certificate of a client',
    ],
    yours: 'Give the database an account or certificate for the service alone.',
    notHeld: 'Service keys do not expire. The overview names those that no service uses.',
  },
  {
    id: 'V13.2.2',
    level: 'L2',
    text: 'Services have the least rights.',
    documented: ['operating#a-role-for-migrations'],
    held: [
      'scenarios/service-keys › allows only what its permissions name',
      'deploy/kubernetes › meet the restricted pod security standard',
    ],
    yours: 'Run migrations with a role of their own, so that the service needs no right to change tables.',
  },
  {
    id: 'V13.2.3',
    level: 'L2',
    text: 'No credential of a service is a default one.',
    held: [
      'deploy/environment › holds no secret, and neither does another file of deploy: each installation makes its own',
      'attacks/weak-start › of few different characters is refused as …, without being printed',
    ],
  },
  {
    id: 'V13.2.4',
    level: 'L2',
    text: 'An allowlist names what the service may connect to.',
    held: [
      'src/foundation/egress › refuses a name that leads to …, and the address itself',
      'src/foundation/egress › calls what the operator allows, by host, address and range',
    ],
    yours: 'Allow only the needed addresses in your firewall: public addresses are not on a list.',
  },
  {
    id: 'V13.2.5',
    level: 'L2',
    text: 'The server loads files and sends requests only where it is allowed.',
    held: ['attacks/headers › serve no file of another folder', 'src/foundation/egress › follows no redirect'],
  },
  {
    id: 'V13.2.6',
    level: 'L3',
    text: 'Connections follow their documented limits.',
    held: [
      'src/foundation/bounded-fetch › closes the connection when the answer is too large',
      'scenarios/external-logins › wait ten seconds for a provider',
    ],
  },
  {
    id: 'V13.3.1',
    level: 'L2',
    text: 'Secrets are in a vault, and not in code. At L3, in hardware.',
    held: [
      'scenarios/environment › reads each secret from the file that its variable with _FILE names, without one line break at the end',
    ],
    yours: 'Let your vault write the files that the variables with `_FILE` name.',
    notHeld: 'At L3: the service cannot use a hardware module.',
  },
  {
    id: 'V13.3.2',
    level: 'L2',
    text: 'Few can read secrets.',
    held: [
      'scenarios/environment › warns of a file that all users may read',
      'cli/doctor › finds a data directory and secret that other users can read',
    ],
    yours: 'Give the files to the user of the service alone.',
  },
  {
    id: 'V13.3.3',
    level: 'L3',
    text: 'Cryptography runs in a module of its own.',
    notHeld: 'It runs in the process of the service.',
  },
  {
    id: 'V13.3.4',
    level: 'L3',
    text: 'Secrets expire and are replaced as documented.',
    held: ['attacks/keys › rotate by age once, with any number of nodes'],
    notHeld:
      'Signing keys are replaced by themselves. Service keys, client secrets and `LATCHKEY_SECRET` do not expire.',
  },
  {
    id: 'V13.4.1',
    level: 'L1',
    text: 'No metadata of source control is deployed or served.',
    held: ['attacks/headers › serve no file of another folder'],
  },
  {
    id: 'V13.4.2',
    level: 'L2',
    text: 'Debug modes are off in production.',
    yours: 'Set `LATCHKEY_MODE=production`. The doctor says which mode it is.',
  },
  {
    id: 'V13.4.3',
    level: 'L2',
    text: 'Folders are not listed.',
    held: [
      'attacks/headers › serve no file of another folder',
      'e2e/shell › answers unknown addresses as calls to programs, and to browsers below the paths of programs',
    ],
  },
  {
    id: 'V13.4.4',
    level: 'L2',
    text: 'TRACE is not supported.',
    held: ['scenarios/standards › answers no TRACE'],
  },
  {
    id: 'V13.4.5',
    level: 'L2',
    text: 'Monitoring and descriptions of the API are open only if they are meant to be.',
    held: [
      'attacks/metrics-host › are refused for other names: the public URL, which a proxy passes on, or a rebound name',
    ],
    yours: '`/openapi.json` and `/health` are meant to be open. Close them in your proxy otherwise.',
  },
  {
    id: 'V13.4.6',
    level: 'L3',
    text: 'Versions of components are not told.',
    notHeld: '`/openapi.json` tells the version of Latchkey.',
  },
  {
    id: 'V13.4.7',
    level: 'L3',
    text: 'Only files of known kinds are served.',
    held: ['attacks/headers › serve no file of another folder'],
  },
];

const data: readonly Requirement[] = [
  {
    id: 'V14.1.1',
    level: 'L2',
    text: 'All sensitive data are known and classified.',
    held: ['storage/personal-data › is said of each table and column'],
    documented: ['persons#what-is-stored'],
  },
  {
    id: 'V14.1.2',
    level: 'L2',
    text: 'Each class of data has documented rules.',
    documented: ['persons#what-is-stored', 'persons#what-is-left-to-you'],
  },
  {
    id: 'V14.2.1',
    level: 'L1',
    text: 'Secrets are in the body or headers, never in an address.',
    held: [
      'attacks/bearer › is not the query, a cookie or the body',
      'attacks/input › from the query is never a password',
      'scenarios/password-reset › mails the stored address a link with all data in its fragment, and a code',
    ],
  },
  {
    id: 'V14.2.2',
    level: 'L2',
    text: 'Caches in between keep no sensitive data.',
    held: ['attacks/headers › let no cache store an answer of the API, and no browser guess its type'],
  },
  {
    id: 'V14.2.3',
    level: 'L2',
    text: 'Sensitive data go to no third party.',
    held: [
      'attacks/headers › load only their own files, and cannot be framed',
      'scenarios/tracing › sends the collector no secret, address or name',
    ],
  },
  {
    id: 'V14.2.4',
    level: 'L2',
    text: 'The documented rules for data hold.',
    held: [
      'attacks/canaries › are in no column of the database, and in no audit row',
      'attacks/canaries › are in no log line',
      'attacks/erasure › leaves nothing in any table, and nothing of others is lost',
    ],
  },
  {
    id: 'V14.2.5',
    level: 'L3',
    text: 'A cache cannot be made to keep an answer under a false address.',
    held: [
      'attacks/headers › let no cache store an answer of the API, and no browser guess its type',
      'attacks/input › to a path with another method gets the allowed methods, and to an unknown path 404',
    ],
  },
  {
    id: 'V14.2.6',
    level: 'L3',
    text: 'Answers have as little sensitive data as is needed, and masks.',
    held: [
      'attacks/reset-options › show neither the top-level domain, the host nor the length of an address',
      'scenarios/my-addresses › is recorded in the audit trail, with masked addresses',
    ],
  },
  {
    id: 'V14.2.7',
    level: 'L3',
    text: 'Data are deleted when their time is over.',
    held: [
      'attacks/audit-trail › removes entries older than the setting, at most 2,000 per run',
      'src/proofs/pins › deletes pins and budgets when they no longer count, and not before',
    ],
    yours: 'Choose `retentionDays` of `Latchkey.Audit`. Delete accounts that nobody needs.',
  },
  {
    id: 'V14.2.8',
    level: 'L3',
    text: 'Files of users lose their metadata.',
    held: ['attacks/logos › keeps the picture of a PNG file, and nothing else of it'],
  },
  {
    id: 'V14.3.1',
    level: 'L1',
    text: 'After a sign-out the browser keeps nothing of the session.',
    held: ['e2e/sign-in › leads to the account, and out again', 'e2e/tabs › are signed off together'],
  },
  {
    id: 'V14.3.2',
    level: 'L2',
    text: 'Answers forbid browsers to keep sensitive data.',
    held: ['attacks/headers › let no cache store an answer of the API, and no browser guess its type'],
  },
  {
    id: 'V14.3.3',
    level: 'L2',
    text: 'Storage of the browser has no sensitive data but the session token.',
    held: [
      'e2e/stay-signed-in › with a password does not outlive the browser, unless the person chose to stay signed in',
    ],
    notHeld: 'Where the token is kept is shown. A search of all that the pages store is part of the long tests alone.',
  },
];

const logging: readonly Requirement[] = [
  {
    id: 'V16.1.1',
    level: 'L2',
    text: 'The documentation lists what is logged, where, in which form, for whom and for how long.',
    documented: ['operating#the-audit-trail', 'operating#metrics-and-logs'],
  },
  {
    id: 'V16.2.1',
    level: 'L2',
    text: 'An entry tells when, where, who and what.',
    held: [
      'scenarios/pin-sign-in › is recorded as a pin in the token, session list and audit trail',
      'scenarios/audit-trail › tells the old and new values of a changed account, with masked addresses',
    ],
  },
  {
    id: 'V16.2.2',
    level: 'L2',
    text: 'Clocks agree, and times have a zone.',
    held: ['cli/doctor › finds a running service on … healthy'],
    yours: 'Run a time service on each node. The doctor compares its clock with that of the database.',
  },
  {
    id: 'V16.2.3',
    level: 'L2',
    text: 'Logs go only where the documentation says.',
    held: ['scenarios/tracing › loads nothing unless a collector is named'],
    documented: ['operating#metrics-and-logs'],
  },
  {
    id: 'V16.2.4',
    level: 'L2',
    text: 'A processor can read and connect the logs.',
    held: [
      'scenarios/audit-trail › has every entry once in all batches, as JSON lines',
      'scenarios/tracing › names the trace in the error',
    ],
  },
  {
    id: 'V16.2.5',
    level: 'L2',
    text: 'Logs hold no credentials, and other secrets only masked.',
    held: [
      'attacks/canaries › are in no log line',
      'attacks/factor-canaries › are in no log line and in no printed message',
      'attacks/provider-canaries › are in no log line and in no printed message',
    ],
  },
  {
    id: 'V16.3.1',
    level: 'L2',
    text: 'Each sign-in and each try is logged, with its method.',
    held: [
      'scenarios/pin-sign-in › is recorded as a pin in the token, session list and audit trail',
      'attacks/audit-trail › with wrong passwords, and with any for a locked account, adds one entry a minute',
      'scenarios/external-sign-in › writes the audit trail',
    ],
  },
  {
    id: 'V16.3.2',
    level: 'L2',
    text: 'Failed authorizations are logged. At L3, all decisions.',
    held: [
      'attacks/denied-calls › tells of each call that needs a permission, in two entries a minute',
      'attacks/denied-calls › tells of what an administrator may not do to another one',
    ],
    notHeld: 'At L3: a call that is allowed and only reads has no entry.',
  },
  {
    id: 'V16.3.3',
    level: 'L2',
    text: 'Documented security events and tries to get round controls are logged.',
    held: [
      'attacks/rate-limits › add one audit entry for the first refusal',
      'e2e/words › tell every action and every reason of the audit trail in all languages',
    ],
    notHeld: 'Refused input has no entry.',
  },
  {
    id: 'V16.3.4',
    level: 'L2',
    text: 'Unexpected errors and failures of controls are logged.',
    held: [
      'src/http/failure-log › logs every fault, and no error caused by a caller',
      'attacks/shed-logs › have the cause of an outage, and its stack once a second',
    ],
  },
  {
    id: 'V16.4.1',
    level: 'L2',
    text: 'No text can forge an entry.',
    held: [
      'src/foundation/csv › begins no cell like a formula',
      'scenarios/audit-trail › neutralises formulas in CSV, and keeps details as JSON',
    ],
  },
  {
    id: 'V16.4.2',
    level: 'L2',
    text: 'Logs are closed to others and cannot be changed unnoticed.',
    held: [
      'attacks/audit-export › need the permission that reading needs',
      'src/audit/chain › finds deleted entries: in the middle, the first, the newest',
      'src/audit/chain › finds an edited …',
    ],
    yours: 'Keep the newest head of the chain elsewhere.',
  },
  {
    id: 'V16.4.3',
    level: 'L2',
    text: 'Logs are sent to another system.',
    held: [
      'attacks/audit-feed › miss no entry, in the order of the chain',
      'scenarios/audit-feed-guide › keeps what a restored backup does not have, and goes on with what it has',
    ],
    yours: 'Let a collector read the audit feed.',
  },
  {
    id: 'V16.5.1',
    level: 'L2',
    text: 'An unexpected error tells the caller nothing of the inside.',
    held: [
      'scenarios/openapi › documents refusals with the error envelope',
      'attacks/generated-requests › cause no fault when they come from …, and change no data of other accounts',
      'attacks/canaries › are in no answer except the one that issues them',
    ],
  },
  {
    id: 'V16.5.2',
    level: 'L2',
    text: 'The service stays secure while others fail.',
    held: [
      'scenarios/delivery › answers alike while the gateways are down, and delivers when they are back',
      'attacks/introspection › answers 503, and not that a token is dead, while the database is out of reach',
    ],
  },
  {
    id: 'V16.5.3',
    level: 'L2',
    text: 'Errors never open a door.',
    held: [
      'faults/database › …: 503 and nothing consumed, then every call works again',
      'attacks/external-sign-in › that returns or throws an unexpected value causes neither a fault nor an account',
    ],
  },
  {
    id: 'V16.5.4',
    level: 'L3',
    text: 'A last handler catches every error, logs it, and keeps the service running.',
    held: [
      'attacks/generated-requests › leave the service working',
      'src/http/failure-log › logs every fault, and no error caused by a caller',
    ],
  },
];

export const service = [
  { title: 'V2 Validation and business logic', requirements: logic },
  { title: 'V8 Authorization', requirements: authorization },
  { title: 'V11 Cryptography', requirements: cryptography },
  { title: 'V13 Configuration', requirements: configuration },
  { title: 'V14 Data protection', requirements: data },
  { title: 'V16 Logging and errors', requirements: logging },
] as const;
