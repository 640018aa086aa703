/** The embedded `mongos`. */
import { runProgram } from './lifecycle.ts';
import { startMongos } from './router/process.ts';

await runProgram((shutdown) => startMongos(process.argv.slice(2), shutdown));
