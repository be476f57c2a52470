// The SBOM (software bill of materials): the packages whose code the package contains, and those that npm installs with it.
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { native } from '../bundle/main.ts';
import { dependenciesOf, type Package, readPackage } from '../bundle/packages.ts';

/** The workspaces, as the lock file names them. */
const workspaces = ['', 'server', 'web', 'sdk', 'user-files'];

/** The name of CycloneDX's property taxonomy for code that is part of its parent. */
const BUNDLED = 'cdx:npm:package:bundled';

/**
 * Returns the SBOM in CycloneDX 1.6, as JSON. Equal builds have equal SBOMs, so it has no time and no serial number.
 * CycloneDX's own tool for npm lists the whole workspace, and not what the bundlers chose.
 * @param manifest the manifest of the package
 * @param bundled the folders of the packages whose code or data the package contains
 */
export function createSbom(
  manifest: { name: string; version: string; license: string },
  bundled: readonly string[],
): string {
  const service = describe({ ...manifest, type: Enums.ComponentType.Application });
  const packages = [...new Set([...bundled, ...installed()])].sort().map(readPackage);
  // By package URL, because one version in two folders is one component.
  const components = new Map(packages.map((one) => [purlOf(one), describePackage(one, bundled.includes(one.folder))]));
  const link = (from: Models.Component | undefined, folder: string) => {
    for (const { bomRef } of dependenciesOf(folder).flatMap((to) => components.get(purlOf(readPackage(to))) ?? [])) {
      from?.dependencies.add(bomRef);
    }
  };
  for (const workspace of workspaces) link(service, workspace);
  for (const one of packages) link(components.get(purlOf(one)), one.folder);
  const sbom = new Models.Bom({
    metadata: new Models.Metadata({ component: service }),
    components: new Models.ComponentRepository(components.values()),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(sbom, { space: 2 })}\n`;
}

/** Returns the folders of the packages that npm installs with the package, on any platform. */
function installed(): string[] {
  const found = new Set(native.map((name) => `node_modules/${name}`));
  // The loop also visits what it adds.
  for (const folder of found) for (const dependency of dependenciesOf(folder)) found.add(dependency);
  return [...found];
}

function describePackage(one: Package, isBundled: boolean): Models.Component {
  const component = describe({ ...one, type: Enums.ComponentType.Library });
  component.scope = one.isOptional && !isBundled ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required;
  component.hashes.set(
    Enums.HashAlgorithm['SHA-512'],
    Buffer.from(one.integrity.slice('sha512-'.length), 'base64').toString('hex'),
  );
  if (isBundled) component.properties.add(new Models.Property(BUNDLED, 'true'));
  return component;
}

function describe(one: {
  type: Enums.ComponentType;
  name: string;
  version: string;
  license?: string | undefined;
}): Models.Component {
  const [name = '', group] = one.name.split('/').reverse();
  const component = new Models.Component(one.type, name, {
    version: one.version,
    bomRef: purlOf(one),
    purl: purlOf(one),
  });
  if (group !== undefined) component.group = group;
  if (one.license !== undefined) component.licenses.add(new Models.SpdxLicense(one.license));
  return component;
}

/** Returns the package URL (PURL specification, type npm). */
function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
