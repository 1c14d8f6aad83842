// SPDX-License-Identifier: MIT
// What a browser and axe-core say of a page of `tabia report`: at two widths, in light and dark. Each problem is a line;
// exit code 1 if there is any.
//   node page_judge.mjs PAGE [FOLDER for screenshots]
// Checked: all rules of axe-core, console errors, requests to anything else, a page wider than the window, and what axe
// cannot see: contrast of text in charts and boards (4.5 to the ground or the coloured square below it), of lines and
// marks (3, WCAG 2.2, 1.4.11).
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const require = createRequire(`${process.cwd()}/`);
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [page, folder] = process.argv.slice(2);
const address = pathToFileURL(resolve(page)).href;
const problems = [];

// In the page: the least contrast of SVG text and of SVG lines, with where it is.
function measureCharts() {
    const parse = colour => colour.match(/[\d.]+/g).map(Number);
    const luminance = rgb => {
        const [r, g, b] = rgb.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => {
        const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const ground = parse(getComputedStyle(document.body).backgroundColor).slice(0, 3);
    const over = (colour, share, below) => colour.map((v, i) => share * v + (1 - share) * below[i]);
    const found = [];
    const note = (kind, element, value, least) =>
        value < least && found.push(`${kind} ${value.toFixed(2)} below ${least}: ${element.outerHTML.slice(0, 120)} in ` +
                                    `"${element.closest('svg').querySelector('title').textContent}"`);
    let texts = 0, lines = 0;
    for (const svg of document.querySelectorAll('svg')) {
        const shapes = [...svg.querySelectorAll('rect')].map(rect => [rect, rect.getBoundingClientRect()]);
        for (const text of svg.querySelectorAll('text')) {
            const box = text.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
            let below = ground;
            for (const [rect, area] of shapes) {
                const style = getComputedStyle(rect);
                if (x > area.left && x < area.right && y > area.top && y < area.bottom)
                    below = over(parse(style.fill).slice(0, 3), Number(style.fillOpacity), below);
            }
            note('text', text, contrast(parse(getComputedStyle(text).fill).slice(0, 3), below), 4.5);
            texts++;
        }
        for (const mark of svg.querySelectorAll('.line, .axis, .whisker, .ring, .mark')) {
            const style = getComputedStyle(mark), colour = style.stroke === 'none' ? style.fill : style.stroke;
            note('mark', mark, contrast(parse(colour).slice(0, 3), ground), 3);
            lines++;
        }
    }
    return {found, texts, lines};
}

async function judge(browser, width, colorScheme) {
    const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
    const tab = await context.newPage();
    const problem = text => problems.push(`${width} pixels, ${colorScheme}: ${text}`);
    tab.on('console', message => message.type() === 'error' && problem(`console: ${message.text()}`));
    tab.on('pageerror', error => problem(`error: ${error.message}`));
    tab.on('request', request => request.url() !== address && !request.url().startsWith('data:') &&
                                 problem(`request: ${request.url()}`));
    await tab.goto(address);
    const widest = await tab.evaluate(() => document.documentElement.scrollWidth);
    if (widest > width) problem(`the page is ${widest} pixels wide`);
    if (folder) await tab.screenshot({path: `${folder}/${width}-${colorScheme}.png`, fullPage: true});
    await tab.evaluate(() => document.querySelectorAll('details').forEach(details => details.open = true));
    const {found, texts, lines} = await tab.evaluate(measureCharts);
    found.forEach(problem);
    await tab.evaluate(axe);
    const {violations, passes} = await tab.evaluate(() => window.axe.run(document, {runOnly: {
        type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}}));
    for (const {id, help, nodes} of violations)
        problem(`axe ${id}: ${help}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`);
    if (!passes.some(rule => rule.id === 'color-contrast')) problem('axe measured no contrast');
    console.log(`${width} pixels, ${colorScheme}: ${passes.length} rules of axe hold; ${texts} texts and ${lines} marks ` +
                'of charts measured');
    await context.close();
}

const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox']});
for (const width of [390, 1280])
    for (const scheme of ['light', 'dark']) await judge(browser, width, scheme);
await browser.close();
problems.forEach(problem => console.log(problem));
process.exitCode = problems.length ? 1 : 0;
