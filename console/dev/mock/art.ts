import { type MockItem, pick, seeded } from './data.ts';

const SKIES = [
  ['#2b2a4a', '#e79a6b'],
  ['#7fb2d9', '#dcebf3'],
  ['#46566b', '#a9b6bd'],
  ['#1d2036', '#4b4a78'],
  ['#9fc2c9', '#f3e3c4'],
  ['#b7703f', '#f2d08a'],
];

function scene(random: () => number): string {
  const [top, low] = pick(random, SKIES);
  const ridge = (y: number, rough: number) => {
    let path = `M0 ${y}`;
    for (let x = 0; x <= 400; x += 25) path += ` L${x} ${(y + (random() - 0.5) * rough).toFixed(0)}`;
    return `${path} L400 300 L0 300Z`;
  };
  const boats = Array.from({ length: 3 }, () => {
    const x = 40 + random() * 320;
    return `<path d="M${x} 240 l30 0 l-6 10 l-18 0Z M${x + 12} 240 l0 -30 l12 30" fill="#14161c"/>`;
  }).join('');
  return `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${low}"/></linearGradient></defs><rect width="400" height="300" fill="url(#s)"/><circle cx="${60 + random() * 280}" cy="${60 + random() * 60}" r="22" fill="#fff4d6" opacity=".7"/><path d="${ridge(150, 50)}" fill="${top}" opacity=".55"/><path d="${ridge(185, 30)}" fill="${top}" opacity=".8"/><rect y="200" width="400" height="100" fill="${low}" opacity=".55"/><rect y="200" width="400" height="100" fill="${top}" opacity=".45"/>${random() < 0.6 ? boats : ''}`;
}

function sheet(random: () => number): string {
  const lines = Array.from(
    { length: 12 },
    (_, i) => `<rect x="130" y="${64 + i * 15}" width="${60 + random() * 80}" height="4" rx="2" fill="#cfccc5"/>`,
  ).join('');
  return `<rect width="400" height="300" fill="#efeeea"/><rect x="110" y="20" width="180" height="280" fill="#fff" stroke="#dedbd4"/><rect x="130" y="40" width="90" height="8" rx="2" fill="#3b3a37"/>${lines}`;
}

function wave(random: () => number): string {
  const bars = Array.from({ length: 56 }, (_, i) => {
    const h = 20 + Math.abs(Math.sin(i / 5)) * 120 * (0.4 + random() * 0.6);
    return `<rect x="${18 + i * 6.6}" y="${150 - h / 2}" width="3" height="${h}" rx="1.5" fill="#7d45c4" opacity=".8"/>`;
  }).join('');
  return `<rect width="400" height="300" fill="#f0eafa"/>${bars}`;
}

function hull(random: () => number): string {
  const tilt = random() * 20 - 10;
  return `<rect width="400" height="300" fill="#31363d"/><g transform="rotate(${tilt} 200 170)"><path d="M80 150 L320 150 L280 210 L120 210Z" fill="#7fb6bb"/><path d="M150 150 L150 105 L230 105 L230 150Z" fill="#a3d0d3"/><path d="M170 105 L170 80 L210 80 L210 105Z" fill="#c0e1e3"/></g>`;
}

/** An SVG thumbnail, or null for categories without one. */
export function thumbFor(item: MockItem): string | null {
  const random = seeded(item.n * 7 + 3);
  const inner =
    item.file_category === 'image' || item.file_category === 'video'
      ? scene(random)
      : item.file_category === 'document'
        ? sheet(random)
        : item.file_category === 'audio'
          ? wave(random)
          : item.file_category === 'three-d-cad'
            ? hull(random)
            : null;
  return inner && `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="400" height="300">${inner}</svg>`;
}

export function pageFor(item: MockItem, page: number): string {
  const random = seeded(item.n * 31 + page);
  const lines = Array.from(
    { length: 30 },
    (_, i) => `<rect x="70" y="${150 + i * 20}" width="${random() < 0.15 ? 180 : 400 + random() * 55}" height="7" rx="2" fill="#c9c5bd"/>`,
  ).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842" width="595" height="842"><rect width="595" height="842" fill="#fdfcfa"/><text x="70" y="60" font-family="serif" font-size="13" fill="#67645e">Port authority · Crane survey 2023</text><text x="510" y="60" font-family="serif" font-size="13" fill="#67645e">${page}</text><text x="70" y="120" font-family="serif" font-size="22" font-weight="bold" fill="#24231f">${page}.2 Load test</text>${lines}</svg>`;
}

export function turntableFor(): string {
  const tiles = Array.from({ length: 24 }, (_, view) => {
    const angle = (view * Math.PI) / 12;
    const wide = 40 + Math.abs(Math.cos(angle)) * 70;
    return `<g transform="translate(${(view % 6) * 320 + 160} ${Math.floor(view / 6) * 320 + 170})"><ellipse cy="60" rx="120" ry="18" fill="#0003"/><path d="M${-wide} 0 L${wide} 0 L${wide * 0.7} 50 L${-wide * 0.7} 50Z" fill="#7fb6bb"/><path d="M${-wide * 0.3 + Math.sin(angle) * 20} 0 v-50 h${wide * 0.6} v50Z" fill="#a3d0d3"/></g>`;
  }).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1920 1280" width="1920" height="1280"><rect width="1920" height="1280" fill="#31363d"/>${tiles}</svg>`;
}
