/** Named sets of extensions that earlier clients offer in their library form. */
export const extensionGroups: readonly { name: string; label: string; file_category: string; extensions: readonly string[] }[] = [
  { name: 'raw_photos', label: 'Camera raw photos', file_category: 'image', extensions: ['cr2', 'cr3', 'nef', 'arw', 'dng', 'raf'] },
  { name: 'editable_images', label: 'Editable images', file_category: 'image', extensions: ['psd', 'tif', 'tiff'] },
  { name: 'jpeg_family', label: 'JPEG photos', file_category: 'image', extensions: ['jpg', 'jpeg'] },
  { name: 'office_docs', label: 'Office documents', file_category: 'document', extensions: ['doc', 'docx', 'odt', 'rtf'] },
  { name: 'ebooks', label: 'E-books and comics', file_category: 'document', extensions: ['epub', 'mobi', 'azw3', 'cbz', 'cbr'] },
  { name: 'lossless_audio', label: 'Lossless audio', file_category: 'audio', extensions: ['flac', 'alac', 'wav', 'ape', 'wv'] },
  { name: 'lossy_audio', label: 'Lossy audio', file_category: 'audio', extensions: ['mp3', 'ogg', 'opus', 'm4a', 'wma'] },
];
