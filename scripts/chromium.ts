/** `node scripts/start.cjs chromium`: which browser the browser tests will use; exit 2 and a sentence when there is none. */
import { findChromium } from '../reports/site/browser/chromium.ts';

try {
  console.log(findChromium(process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
