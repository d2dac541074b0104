'use strict';
(() => {
  const body = document.body;

  // --- Texts that are longer than a slide continue on the next one ---------------------------------------------------

  const bodyOf = (slide) => slide.querySelector('.body');
  const bottomOf = (element) => element.getBoundingClientRect().bottom;
  const overflows = (text) => text.scrollHeight > text.clientHeight + 1;
  const introduces = (element) => element.textContent.trimEnd().endsWith(':');

  // Cuts a text behind the last of these ends that fits. Returns the rest, or null.
  function splitText(block, bottom, ends) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let last = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const end of node.data.matchAll(ends)) {
        range.setStart(block, 0);
        range.setEnd(node, end.index + end[0].length);
        if (range.getBoundingClientRect().bottom <= bottom) last = [node, end.index + end[0].length];
      }
    if (!last) return null;
    range.setStart(...last);
    range.setEnd(block, block.childNodes.length);
    const rest = block.cloneNode(false);
    rest.append(range.extractContents());
    return rest;
  }

  // The last block of a text is cut in the middle if that is early enough.
  function splitParts(block, parts, bottom, last) {
    const head = block.matches('table') ? 1 : 0;
    let at = parts.findIndex((part) => bottomOf(part) > bottom);
    if (last) at = Math.min(at, Math.ceil((parts.length + head) / 2));
    else if (at === parts.length - 1 && at > head + 2) at -= 1;  // no single row on the next slide
    if (at <= head) return null;
    const rest = block.cloneNode(false);
    if (block.matches('ol')) rest.start = block.start + at;
    if (head) rest.append(parts[0].cloneNode(true));
    rest.append(...parts.slice(at));
    return rest;
  }

  function split(block, bottom, last) {
    if (block.matches('p')) return splitText(block, bottom, /[.?!]\s+/g);
    if (block.matches('pre')) return splitText(block, bottom, /\n/g);
    if (block.matches('table')) return splitParts(block, [...block.rows], bottom, last);
    return block.matches('ul, ol, .rows') ? splitParts(block, [...block.children], bottom, last) : null;
  }

  // Makes a figure smaller, so that it stays below its text. Returns whether that is enough.
  function squeeze(block, bottom) {
    const image = block.matches('figure') ? block.querySelector('img') : null;
    if (!image) return false;
    const height = image.height - Math.ceil(bottomOf(block) - bottom);
    if (height < Number(block.dataset.least)) return false;
    Object.assign(image.style, { width: 'auto', height: `${height}px` });
    return true;
  }

  // Moves what does not fit. Returns whether something is left on both slides.
  function moveRest(text, next) {
    const bottom = bottomOf(text), blocks = [...text.children];
    let at = blocks.findIndex((block) => bottomOf(block) > bottom);
    if (at < 0) return false;
    if (squeeze(blocks[at], bottom) && (at += 1) === blocks.length) return true;
    const early = blocks[at].getBoundingClientRect().top < bottom - 0.4 * text.clientHeight;
    const rest = early || at === 0 ? split(blocks[at], bottom, at === blocks.length - 1) : null;
    if (rest) {
      next.append(rest, ...blocks.slice(at + 1));
      return true;
    }
    while (at > 0 && introduces(blocks[at - 1])) at -= 1;
    if (at === 0) return false;
    next.append(...blocks.slice(at));
    return true;
  }

  function continuation(slide) {
    const next = slide.cloneNode(false), sheet = slide.querySelector('.sheet').cloneNode(false);
    const header = slide.querySelector('header').cloneNode(true), heading = header.querySelector('h1, h2, h3');
    if (heading) {
      const again = document.createElement('div');
      again.className = 'again';
      again.append(...heading.childNodes, Object.assign(document.createElement('small'), { textContent: ' ' + document.body.dataset.continued }));
      heading.replaceWith(again);
    }
    header.querySelector('.label')?.remove();
    sheet.append(header, bodyOf(slide).cloneNode(false));
    next.append(sheet);
    if (next.matches('.topic, .lesson')) next.className = 'slide text';
    return next;
  }

  // A short text has large type.
  function enlarge(text) {
    text.classList.add('large');
    const used = bottomOf(text.lastElementChild) - text.getBoundingClientRect().top;
    if (used > 0.6 * text.clientHeight || overflows(text)) text.classList.remove('large');
  }

  function fitText(slide) {
    const text = bodyOf(slide);
    if (!text.firstElementChild) return;
    if (!overflows(text)) {
      enlarge(text);
      return;
    }
    text.classList.add('close');
    if (!overflows(text)) return;
    text.classList.remove('close');
    const next = continuation(slide);
    if (moveRest(text, bodyOf(next))) {
      if (!bodyOf(next).firstChild) return;  // a smaller figure was enough
      slide.after(next);
      fitText(next);
      return;
    }
    for (let size = 24; size >= 10 && overflows(text); size -= 2) {  // one block that cannot be cut
      text.style.fontSize = `${size}px`;
      for (const image of text.querySelectorAll('img')) Object.assign(image.style, { width: 'auto', height: `${size * 18}px` });
    }
  }

  body.classList.add('paged');
  document.querySelectorAll('.slide').forEach(fitText);
  for (const notes of document.querySelectorAll('.body .notes')) notes.closest('.slide').append(notes);

  // --- One slide at a time -------------------------------------------------------------------------------------------

  const slides = [...document.querySelectorAll('.slide')];
  let at = 0;

  function fit() {
    const slide = slides[at];
    if (!slide) return;
    slide.style.transform = '';
    slide.style.transform = `scale(${Math.min(innerWidth / 1280, innerHeight / slide.offsetHeight)})`;
  }

  function show(index) {
    at = Math.min(Math.max(index, 0), slides.length - 1);
    slides.forEach((slide, i) => slide.classList.toggle('shown', i === at));
    document.getElementById('number').textContent = `${at + 1} / ${slides.length}`;
    history.replaceState(null, '', `#${at + 1}`);
    fit();
  }

  function choosePaper() {
    document.getElementById('paper').textContent =
      body.classList.contains('with-notes') ? '@page { size: A4 portrait; margin: 14mm; }' : '';
  }

  const forward = () => show(at + 1), back = () => show(at - 1);
  const actions = {
    ArrowRight: forward, ArrowDown: forward, PageDown: forward, ' ': forward,
    ArrowLeft: back, ArrowUp: back, PageUp: back,
    Home: () => show(0), End: () => show(slides.length - 1),
    n: () => { body.classList.toggle('with-notes'); choosePaper(); fit(); },
  };

  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  addEventListener('resize', fit);
  addEventListener('hashchange', () => show((parseInt(location.hash.slice(1), 10) || 1) - 1));
  addEventListener('beforeprint', () => slides.forEach((slide) => { slide.style.transform = ''; }));
  addEventListener('afterprint', fit);

  choosePaper();
  body.classList.add('running');
  show((parseInt(location.hash.slice(1), 10) || 1) - 1);
})();
