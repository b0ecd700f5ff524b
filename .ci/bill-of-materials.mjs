#!/usr/bin/env node
// Writes the bill of materials of the binary (CycloneDX 1.6) to standard output: all crates that it contains or that are
// used to build it, and all npm packages in its console. The output depends only on the lock files and contains no time, so
// that it is reproducible. `make build` calls this with the platform.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const [platform] = process.argv.slice(2);
const bySortKey = (one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1);

const run = (command, args) =>
  JSON.parse(execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));

function crates() {
  const filter = platform ? ['--filter-platform', platform] : [];
  const metadata = run('cargo', ['metadata', '--format-version', '1', '--locked', ...filter]);
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const checksums = lockedChecksums();
  const reached = new Set();
  const visit = (id) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind !== 'dev')) visit(pkg);
  };
  visit(metadata.resolve.root);
  return metadata.packages
    .filter(({ id }) => reached.has(id) && id !== metadata.resolve.root)
    .map(({ name, version, license, description }) =>
      component({ purl: `pkg:cargo/${name}@${version}`, name, version, license, description }, checksums.get(`${name}@${version}`)),
    );
}

function lockedChecksums() {
  const packages = readFileSync(path.join(root, 'Cargo.lock'), 'utf8').split('[[package]]').slice(1);
  const field = (text, name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(text)?.[1];
  return new Map(
    packages.map((text) => [
      `${field(text, 'name')}@${field(text, 'version')}`,
      field(text, 'checksum') && { alg: 'SHA-256', content: field(text, 'checksum') },
    ]),
  );
}

function npmPackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'frontend/package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
    .map(([place, { version, license, integrity }]) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return component({ purl, name, version, license }, hashOf(integrity));
    });
}

function hashOf(integrity) {
  const [, kind, base64] = /^(sha512)-(.*)$/.exec(integrity ?? '') ?? [];
  return kind && { alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}

function component({ purl, name, version, license, description }, hash) {
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(description && { description: description.trim() }),
    ...(hash && { hashes: [hash] }),
    ...(license && { licenses: [{ expression: license.split(/\s*\/\s*|\s+OR\s+/).join(' OR ') }] }),
    purl,
  };
}

const components = [...crates(), ...npmPackages()].sort(bySortKey);
const { version } = run('cargo', ['metadata', '--format-version', '1', '--locked', '--no-deps']).packages[0];
const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex');
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  // Derived from the content, so that it is reproducible.
  serialNumber: `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`,
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': `pkg:cargo/flagdeck@${version}`,
      name: 'flagdeck',
      version,
      licenses: [{ license: { id: 'Apache-2.0' } }],
    },
  },
  components,
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
