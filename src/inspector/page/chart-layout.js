/**
 * Where the states of a statechart stand and how its edges run. The agent's chart is laid out by hand; edges and states
 * that the table does not know, and other machines, fall back to a plain grid.
 */

/**
 * @typedef {{ x: number, y: number, w: number, h: number }} Box
 * @typedef {{ d: string, label?: { x: number, y: number, anchor?: string } }} Route
 * @typedef {{ width: number, height: number, boxes: Map<string, Box>, route: (from: string, to: string) => Route }} Layout
 */

/** @param {number} x @param {number} y @param {number} w @param {number} h @returns {Box} */
const box = (x, y, w, h) => ({ x, y, w, h });

/** @type {Readonly<Record<string, Box>>} */
const agentBoxes = {
  reflect: box(436, 48, 128, 46),
  perceive: box(48, 160, 136, 52),
  decide: box(276, 160, 136, 52),
  act: box(508, 136, 168, 168),
  'act.dispatch': box(528, 168, 128, 40),
  'act.running': box(528, 246, 128, 40),
  observe: box(808, 160, 136, 52),
  parked: box(524, 366, 136, 52),
  terminate: box(48, 492, 640, 112),
  'terminate.choose': box(72, 530, 116, 40),
  'terminate.grace': box(238, 530, 116, 40),
  'terminate.report': box(404, 530, 116, 40),
  'terminate.told': box(556, 530, 108, 40),
  done: box(808, 530, 136, 52),
  // Stands for the machine itself: where events that are heard everywhere lead away from.
  '': box(812, 412, 128, 30),
};

/** @type {Readonly<Record<string, Route>>} */
const agentRoutes = {
  'perceive>decide': { d: 'M184 186H270' },
  'perceive>parked': { d: 'M150 212C150 360 330 384 518 386', label: { x: 206, y: 340, anchor: 'start' } },
  'perceive>terminate': { d: 'M92 212V486', label: { x: 100, y: 434, anchor: 'start' } },
  'decide>act': { d: 'M412 186H502', label: { x: 457, y: 178 } },
  'decide>perceive': { d: 'M318 160C300 122 160 122 146 155', label: { x: 231, y: 122 } },
  'decide>terminate': { d: 'M344 212V486', label: { x: 352, y: 460, anchor: 'start' } },
  'act.dispatch>act.running': { d: 'M574 208V240' },
  'act.running>act.dispatch': { d: 'M612 246V214' },
  'act.dispatch>parked': { d: 'M656 198C700 212 706 352 666 382', label: { x: 702, y: 312, anchor: 'start' } },
  'act.dispatch>observe': { d: 'M656 186H802' },
  'act.running>terminate': { d: 'M528 268C486 274 470 330 470 486', label: { x: 463, y: 330, anchor: 'end' } },
  'parked>act': { d: 'M592 366V310', label: { x: 586, y: 340, anchor: 'end' } },
  'parked>observe': { d: 'M660 402C790 402 850 330 858 218', label: { x: 800, y: 366, anchor: 'start' } },
  'parked>perceive': { d: 'M524 408C270 416 122 360 120 218', label: { x: 226, y: 402 } },
  'observe>terminate': { d: 'M904 212C916 420 700 400 640 486', label: { x: 916, y: 300, anchor: 'start' } },
  'observe>reflect': { d: 'M852 160C830 92 700 72 570 71', label: { x: 742, y: 92 } },
  'observe>perceive': { d: 'M900 160C880 -40 110 -40 92 154', label: { x: 300, y: 22 } },
  'reflect>perceive': { d: 'M436 71C300 71 170 80 122 154', label: { x: 300, y: 66 } },
  'terminate.choose>terminate.grace': { d: 'M188 550H232', label: { x: 210, y: 520 } },
  'terminate.choose>terminate.report': { d: 'M130 570C160 600 424 600 452 576' },
  'terminate.grace>terminate.report': { d: 'M354 550H398' },
  'terminate.report>terminate.told': { d: 'M520 550H550' },
  'terminate>done': { d: 'M688 556H802' },
  '>terminate': { d: 'M876 442C872 500 780 512 694 512', label: { x: 884, y: 470, anchor: 'start' } },
};

/** @param {any} chart @returns {Layout} */
export function layoutOf(chart) {
  const paths = chart.states.map((/** @type {any} */ state) => state.path);
  const known = paths.filter((/** @type {string} */ path) => Object.hasOwn(agentBoxes, path));
  const byHand = known.length === paths.length && paths.includes('perceive');
  const boxes = byHand ? handMade(paths) : grid(chart);
  return {
    width: byHand ? 1010 : Math.max(...[...boxes.values()].map(({ x, w }) => x + w)) + 48,
    height: byHand ? 620 : Math.max(...[...boxes.values()].map(({ y, h }) => y + h)) + 48,
    boxes,
    route: (from, to) => {
      const route = byHand ? agentRoutes[`${from}>${to}`] : undefined;
      return route ?? straight(boxes.get(from), boxes.get(to));
    },
  };
}

/** @param {string[]} paths */
const handMade = (paths) => new Map(['', ...paths].map((path) => [path, /** @type {Box} */ (agentBoxes[path])]));

const cell = { w: 150, h: 48, gapX: 70, gapY: 60 };

/** Leaves in rows of four, in the order of the file; a state with states inside frames them. @param {any} chart */
function grid(chart) {
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  let column = 0;
  let y = 48;
  const place = (/** @type {string} */ path) => {
    if (column === 4) {
      column = 0;
      y += cell.h + cell.gapY;
    }
    boxes.set(path, box(48 + column * (cell.w + cell.gapX), y, cell.w, cell.h));
    column += 1;
  };
  const inner = (/** @type {string} */ path) =>
    chart.states.filter((/** @type {any} */ state) => state.parent === path);
  const visit = (/** @type {string} */ parent) => {
    for (const { path } of inner(parent)) {
      if (inner(path).length === 0) place(path);
      else {
        if (column > 0) {
          column = 0;
          y += cell.h + cell.gapY;
        }
        const top = y;
        y += 34;
        visit(path);
        boxes.set(
          path,
          frame(
            inner(path).map((/** @type {any} */ state) => boxes.get(state.path)),
            top,
          ),
        );
        column = 4;
        y += 20;
      }
    }
  };
  visit('');
  return boxes;
}

/** @param {Box[]} within @param {number} top */
function frame(within, top) {
  const left = Math.min(...within.map(({ x }) => x)) - 20;
  const right = Math.max(...within.map(({ x, w }) => x + w)) + 20;
  const bottom = Math.max(...within.map(({ y, h }) => y + h)) + 20;
  return box(left, top, right - left, bottom - top);
}

/** From border to border, bent a little so that there and back can be told apart. @param {Box | undefined} a @param {Box | undefined} b @returns {Route} */
function straight(a, b) {
  if (a === undefined || b === undefined) return { d: '' };
  const from = { x: a.x + a.w / 2, y: a.y + a.h / 2 };
  const to = { x: b.x + b.w / 2, y: b.y + b.h / 2 };
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const bend = { x: (-(to.y - from.y) / length) * 26, y: ((to.x - from.x) / length) * 26 };
  const middle = { x: (from.x + to.x) / 2 + bend.x, y: (from.y + to.y) / 2 + bend.y };
  const start = border(a, from, middle, 0);
  const end = border(b, to, middle, 6);
  return { d: `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}`, label: { x: middle.x, y: middle.y } };
}

/** Where the line from the centre towards a point leaves the box. @param {Box} b @param {{x: number, y: number}} centre @param {{x: number, y: number}} towards @param {number} space */
function border(b, centre, towards, space) {
  const dx = towards.x - centre.x;
  const dy = towards.y - centre.y;
  const scale = Math.min((b.w / 2 + space) / (Math.abs(dx) || 1e-9), (b.h / 2 + space) / (Math.abs(dy) || 1e-9), 1);
  return { x: Math.round(centre.x + dx * scale), y: Math.round(centre.y + dy * scale) };
}
