// Writes a container image of the binary as an OCI layout to target/image, without other programs than tar, and runs its program.
//
//   node .ci/image.mjs BINARY
//
// The image contains one file under two names: /flagdeck, and /app/unleash-edge, the name of the program in the image of Unleash Edge,
// with which it has the command line of Edge. The same binary gives the same image. Format: OCI image specification 1.1.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const LAYOUT = 'target/image';
/** The user of Edge's image. */
const USER = 10_001;
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const TYPE = 'application/vnd.oci.image';
const PORT = 26_063;

/** Returns a tar archive of a folder that does not depend on the time or the user. */
function pack(folder) {
  const options = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
  return execFileSync('tar', ['--create', ...options, '--directory', folder, '.'], { maxBuffer: 2 ** 30 });
}

function sha256(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Writes a blob, and returns its descriptor. */
function write(mediaType, bytes) {
  const digest = sha256(bytes);
  writeFileSync(path.join(LAYOUT, 'blobs', digest.replace(':', '/')), bytes);
  return { mediaType, digest, size: bytes.length };
}

function writeJson(mediaType, value) {
  return write(mediaType, Buffer.from(JSON.stringify(value)));
}

/** Writes the layout for a folder with the files of the image. */
function writeImage(folder) {
  rmSync(LAYOUT, { recursive: true, force: true });
  mkdirSync(path.join(LAYOUT, 'blobs/sha256'), { recursive: true });
  const layer = pack(folder);
  const config = writeJson(`${TYPE}.config.v1+json`, {
    architecture: ARCHITECTURES[process.arch],
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '3063/tcp': {} },
      Entrypoint: ['/app/unleash-edge'],
      Cmd: ['edge'],
      WorkingDir: '/app',
    },
    rootfs: { type: 'layers', diff_ids: [sha256(layer)] },
  });
  const layers = [write(`${TYPE}.layer.v1.tar+gzip`, gzipSync(layer, { level: 6 }))];
  const mediaType = `${TYPE}.manifest.v1+json`;
  const manifest = writeJson(mediaType, { schemaVersion: 2, mediaType, config, layers });
  const annotations = { 'org.opencontainers.image.ref.name': 'flagdeck' };
  const index = { schemaVersion: 2, mediaType: `${TYPE}.index.v1+json`, manifests: [{ ...manifest, annotations }] };
  writeFileSync(path.join(LAYOUT, 'index.json'), JSON.stringify(index));
  writeFileSync(path.join(LAYOUT, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

function blob({ digest }) {
  const bytes = readFileSync(path.join(LAYOUT, 'blobs', digest.replace(':', '/')));
  if (sha256(bytes) !== digest) throw new Error(`${digest} has other content`);
  return bytes;
}

/** Unpacks the image as a container engine does, and starts its program with variables of Edge until it serves its probes. */
async function check(folder) {
  const [manifest] = JSON.parse(readFileSync(path.join(LAYOUT, 'index.json'))).manifests;
  const { config, layers } = JSON.parse(blob(manifest));
  const { Entrypoint, Cmd } = JSON.parse(blob(config)).config;
  for (const layer of layers) execFileSync('tar', ['--extract', '--gzip', '--directory', folder], { input: blob(layer) });
  const program = path.join(folder, Entrypoint[0]);
  const env = { UPSTREAM_URL: 'http://127.0.0.1:1', TOKENS: '*:production.0123456789', INTERFACE: '127.0.0.1', PORT, RUST_LOG: 'error' };
  const server = spawn(program, Cmd, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
    if (!String(line).startsWith('Flagdeck is ready on ')) throw new Error(`the program ended: ${line}`);
    const health = await fetch(`http://127.0.0.1:${PORT}/internal-backstage/health`);
    if (health.status !== 503) throw new Error(`the health without toggles is ${health.status}`);
    const probe = spawn(program, ['ready'], { env, stdio: 'ignore' });
    const [code] = await once(probe, 'exit');
    if (code !== 1) throw new Error(`the exit code of the probe without toggles is ${code}`);
  } finally {
    server.kill();
  }
}

const [binary] = process.argv.slice(2);
const temporary = mkdtempSync(path.join(tmpdir(), 'flagdeck-image-'));
try {
  const [root, unpacked] = ['root', 'unpacked'].map((name) => path.join(temporary, name));
  mkdirSync(path.join(root, 'app'), { recursive: true });
  mkdirSync(unpacked);
  copyFileSync(binary, path.join(root, 'flagdeck'));
  chmodSync(path.join(root, 'flagdeck'), 0o555);
  linkSync(path.join(root, 'flagdeck'), path.join(root, 'app/unleash-edge'));
  writeImage(root);
  await check(unpacked);
  console.log(LAYOUT);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
