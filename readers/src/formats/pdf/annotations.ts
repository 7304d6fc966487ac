/** Texts of a PDF that are not on its pages: comments, text notes, and the values and options of form fields. */

import { copyToHeap, heapView, type PdfDocument, readPageText, withMemory, withPage } from './pdfium.ts';
import type { Pdfium } from './pdfium-functions.ts';

interface PageNotes {
  texts: string[];
  fields: number;
  annotations: number;
  /** The page has signatures, buttons or stamps, whose texts are only in how they are drawn. */
  drawn: boolean;
}

interface OpenPage {
  notes(): PageNotes;
  text(maxChars: number): string;
  /** The text of the page with everything that is drawn upon it. */
  drawnText(maxChars: number): string;
}

const subtypes = { link: 2, stamp: 13, popup: 16, widget: 20 };
const fieldTypes = { button: 1, comboBox: 4, listBox: 5, textField: 6, signature: 7 };
const MAX_ANNOTATIONS = 10_000;
const MAX_OPTIONS = 200;
const MAX_TEXT_BYTES = 1 << 20;
/** More than the size of FPDF_FORMFILLINFO, all of whose callbacks stay unset. */
const FORM_INFO_BYTES = 512;

/** Opens each page with its form fields until `use` returns false. Damaged pages are skipped, because one must not cost the others. */
export function eachPage(document: PdfDocument, use: (index: number, page: OpenPage) => boolean): void {
  const { pdfium, handle, pages } = document;
  withForms(pdfium, handle, (form) => {
    for (let index = 0; index < pages; index++) {
      const goOn = withPage(pdfium, handle, index, (page) =>
        use(index, {
          notes: () => readPageNotes(pdfium, form, page),
          text: (maxChars) => readPageText(pdfium, page, maxChars),
          drawnText: (maxChars) => readDrawnText(document, page, index, maxChars),
        }),
      );
      if (goOn === false) return;
    }
  });
}

/** Makes annotations part of the page, which then has to be opened again. Only the copy in memory changes. */
function readDrawnText({ pdfium, handle }: PdfDocument, page: number, index: number, maxChars: number): string {
  const read = (each: number): string => readPageText(pdfium, each, maxChars);
  if (pdfium._FPDFPage_Flatten(page, normalDisplay) !== flattened) return read(page);
  return withPage(pdfium, handle, index, read) ?? read(page);
}

const normalDisplay = 0;
const flattened = 1;

/** Calls `use` with a form environment, without which the values of form fields cannot be read. */
export function withForms<T>(pdfium: Pdfium, document: number, use: (form: number) => T): T {
  return withMemory(pdfium, FORM_INFO_BYTES, (info) => {
    heapView(pdfium, info, FORM_INFO_BYTES).fill(0).writeInt32LE(2, 0);
    const form = pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
    try {
      return use(form);
    } finally {
      if (form !== 0) pdfium._FPDFDOC_ExitFormFillEnvironment(form);
    }
  });
}

function readPageNotes(pdfium: Pdfium, form: number, page: number): PageNotes {
  const notes: PageNotes = { texts: [], fields: 0, annotations: 0, drawn: false };
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
      if (subtype === subtypes.widget) addField(pdfium, form, annotation, notes);
      else if (subtype !== subtypes.popup) addAnnotation(pdfium, annotation, subtype, notes);
    } finally {
      pdfium._FPDFPage_CloseAnnot(annotation);
    }
  }
  return notes;
}

function addAnnotation(pdfium: Pdfium, annotation: number, subtype: number, notes: PageNotes): void {
  const key = copyToHeap(pdfium, Buffer.from('Contents\0'));
  const text = readText(pdfium, (buffer, length) => pdfium._FPDFAnnot_GetStringValue(annotation, key, buffer, length));
  pdfium._free(key);
  if (text !== '') notes.texts.push(text);
  if (subtype === subtypes.stamp) notes.drawn = true;
  if (subtype !== subtypes.link) notes.annotations += 1;
}

function addField(pdfium: Pdfium, form: number, annotation: number, notes: PageNotes): void {
  notes.fields += 1;
  if (form === 0) return;
  const type = pdfium._FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === fieldTypes.button || type === fieldTypes.signature) notes.drawn = true;
  const choice = type === fieldTypes.comboBox || type === fieldTypes.listBox;
  if (!choice && type !== fieldTypes.textField) return;
  const value = readText(pdfium, (buffer, length) => pdfium._FPDFAnnot_GetFormFieldValue(form, annotation, buffer, length));
  if (value !== '') notes.texts.push(value);
  if (!choice) return;
  const options = Math.min(pdfium._FPDFAnnot_GetOptionCount(form, annotation), MAX_OPTIONS);
  for (let option = 0; option < options; option++) {
    const label = readText(pdfium, (buffer, length) => pdfium._FPDFAnnot_GetOptionLabel(form, annotation, option, buffer, length));
    if (label !== '' && label !== value) notes.texts.push(label);
  }
}

/** Reads a UTF-16 text of pdfium, which returns its length in bytes when called without a buffer. */
function readText(pdfium: Pdfium, read: (buffer: number, length: number) => number): string {
  const length = read(0, 0);
  if (length <= 2 || length > MAX_TEXT_BYTES) return '';
  return withMemory(pdfium, length, (pointer) => {
    read(pointer, length);
    return heapView(pdfium, pointer, length - 2)
      .toString('utf16le')
      .replace(/\r\n?/g, '\n')
      .trim();
  });
}
