// Plain CommonJS that any Node.js can parse: an old one must end with a sentence, not a syntax error.
// `node scripts/start.cjs` checks the version, that packages are there, and that there is room for temporary files, which tsx and vitest
// need as well; `node scripts/start.cjs <name> …` then runs scripts/<name>.ts.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    'shardlab needs Node.js 20.19 or newer; this is ' +
      process.version +
      '. Install one from https://nodejs.org and try again.',
  );
  process.exit(2);
}
try {
  require.resolve('tsx/esm/api');
} catch {
  console.error('shardlab is not installed yet: run `npm ci` first.');
  process.exit(2);
}
const temporary = require('node:os').tmpdir();
try {
  const { mkdtempSync, rmdirSync } = require('node:fs');
  rmdirSync(mkdtempSync(require('node:path').join(temporary, 'shardlab-probe-')));
} catch (error) {
  console.error(`The temporary folder ${temporary} cannot be written to (${error.code}): name another with TMPDIR.`);
  process.exit(2);
}
const name = process.argv[2];
if (name) {
  process.argv.splice(2, 1);
  import('tsx/esm/api').then((tsx) => {
    tsx.register();
    return import(`./${name}.ts`);
  });
}
