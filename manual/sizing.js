// The sizing calculator. All costs come from sizing.json, which is made from a benchmark report.
const fields = [
  ['files', 'Files', 1_000_000],
  ['gigabytes', 'Gigabytes of all files', 2000],
  ['text', 'Files with text, %', 30],
  ['pictures', 'Pictures, %', 20],
  ['cores', 'Cores for workers', 2],
];
const number = (value) => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function duration(seconds) {
  if (seconds < 5400) return `${number(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${number(seconds / 3600)} hours` : `${number(seconds / 86_400)} days`;
}

function size(bytes) {
  return bytes < 1e9 ? `${number(bytes / 1e6)} MB` : bytes < 1e12 ? `${number(bytes / 1e9)} GB` : `${number(bytes / 1e12)} TB`;
}

/** One line per result: what, how much, and why. */
function results(costs, { files, gigabytes, text, pictures, cores }) {
  const scan = files * costs.scanSeconds.value;
  const hash = (gigabytes * 1e9) / costs.hashBytesPerSecond.value;
  const extract = files * ((text / 100) * costs.extractSeconds.value + (pictures / 100) * costs.thumbnailSeconds.value);
  const index = files * (costs.projectSeconds.value + costs.indexSeconds.value);
  const engine =
    files <= 10_000_000 ? 'embedded' : `OpenSearch, ${Math.ceil(files / 20_000_000)} shards on ${Math.max(3, Math.ceil(files / 30_000_000))} nodes`;
  return [
    ['Scan and hash', duration((scan + hash) / cores), 'if the disks deliver the bytes as fast'],
    ['Read contents and make thumbnails', duration(extract / cores), 'while searching by name works already'],
    ['Build the index', duration(index / cores), 'also the time of a rebuild'],
    ['Memory for search', size(files * costs.engineBytes.value), 'with the embedded engine'],
    ['Index on disk', size(files * costs.indexBytes.value * 2), 'twice, because a rebuild needs room for both'],
    ['Search engine', engine, ''],
  ];
}

async function start() {
  const place = document.getElementById('calculator');
  if (!place) return;
  const { coefficients } = await (await fetch('sizing.json')).json();
  const form = document.createElement('form');
  form.className = 'calculator';
  const inputs = new Map();
  for (const [name, title, value] of fields) {
    const label = document.createElement('label');
    const input = Object.assign(document.createElement('input'), { type: 'number', min: '0', value: String(value), name });
    label.append(title, input);
    form.append(label);
    inputs.set(name, input);
  }
  const table = document.createElement('table');
  table.className = 'wide';
  table.setAttribute('aria-live', 'polite');
  const show = () => {
    const given = Object.fromEntries([...inputs].map(([name, input]) => [name, Math.max(0, Number(input.value) || 0)]));
    given.cores = Math.max(1, given.cores);
    table.replaceChildren(
      ...results(coefficients, given).map((cells) => {
        const row = document.createElement('tr');
        row.append(...cells.map((cell) => Object.assign(document.createElement('td'), { textContent: cell })));
        return row;
      }),
    );
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  (place.nextElementSibling ?? place).after(form, table);
  show();
}

await start();
