/** Opens the engine in a folder of its own and writes what it says of its build to stdout. Argument: the folder. */
import { writeSync } from 'node:fs';
import { BSON } from 'bson';
import { engineLibrary } from '../build-info.ts';
import { decode, encode } from '../wire/bson.ts';
import { Engine } from './engine.ts';

const engine = await Engine.open(engineLibrary(), process.argv[2] as string);
const { ok: _, ...buildInfo } = decode(await engine.run(encode({ buildInfo: 1, $db: 'admin' })));
writeSync(1, BSON.EJSON.stringify(buildInfo, { relaxed: false }));
await engine.close();
