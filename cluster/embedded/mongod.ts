/** The embedded `mongod`. */
import { runProgram } from './lifecycle.ts';
import { startMongod } from './shard/process.ts';

await runProgram((shutdown) => startMongod(process.argv.slice(2), shutdown));
