export { accessToDownload, accessToView, type ReportAccess } from './access.ts';
export { findReport, reports } from './catalogue/index.ts';
export {
  AccessChanged,
  type Cell,
  type Counted,
  type ReportColumn,
  type RowSource,
  type SortKey,
} from './contract.ts';
export { createPathForms, type FormPaths, pathColumns } from './paths.ts';
export { parseSort, presentColumns, readFilters } from './present.ts';
export { countRows, type OrderTerm, orderTerms, queryWithLimit, readPage } from './read-rows.ts';
export { runPage } from './run-page.ts';
export { fileParameters, filterParameters, runPageMembers, sortParameter } from './schemas.ts';
export { addPaths, createAccessCheck, limitTotal, openReport, type ReportContext, streamCells } from './service.ts';
