/** The browser code of the matrix. */
import { openCells } from './matrix-cells.ts';
import { chooseRows } from './matrix-rows.ts';

chooseRows();
openCells();
