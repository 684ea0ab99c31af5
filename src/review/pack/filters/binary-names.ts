/** Extensions of binary files, so that they needn't be read to find out. Other binary files show by a NUL character. */

const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "png jpg jpeg gif webp avif ico icns bmp tif tiff psd ai sketch pdf zip gz tgz bz2 xz zst lz4 7z rar tar jar war ear " +
    "class o obj a lib so dylib dll exe bin wasm node pyc pyo pyd woff woff2 ttf otf eot mp3 mp4 m4a m4v mov avi mkv webm " +
    "ogg oga ogv wav flac sqlite sqlite3 db mo gmo xls xlsx doc docx ppt pptx odt ods odp parquet npy npz pkl h5 onnx " +
    "pt safetensors lockb deb rpm dmg iso apk aab ipa nupkg whl egg gem shp dbf"
  ).split(" "),
);

export function isBinaryName(path: string): boolean {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") && BINARY_EXTENSIONS.has(path.slice(dot + 1).toLowerCase());
}

/** As git decides: a NUL among the first bytes. */
export function isBinaryText(latin1: string): boolean {
  const at = latin1.indexOf("\0");
  return at !== -1 && at < CHECKED_BYTES;
}

const CHECKED_BYTES = 8_000;
