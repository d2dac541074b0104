'use strict';
(() => {
  const slides = [...document.querySelectorAll('.slide')];
  const body = document.body;
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

  // A question's answer unfolds before the next slide comes.
  function forward() {
    const answer = slides[at].querySelector('details:not([open])');
    if (answer) answer.open = true;
    else show(at + 1);
  }

  function back() {
    const answer = slides[at].querySelector('details[open]');
    if (answer) answer.open = false;
    else show(at - 1);
  }

  const actions = {
    ArrowRight: forward, ArrowDown: forward, PageDown: forward, ' ': forward,
    ArrowLeft: back, ArrowUp: back, PageUp: back,
    Home: () => show(0), End: () => show(slides.length - 1),
    n: () => { body.classList.toggle('with-notes'); fit(); },
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
  addEventListener('beforeprint', () => {
    slides.forEach((slide) => { slide.style.transform = ''; });
    document.querySelectorAll('details').forEach((details) => { details.open = true; });
  });
  addEventListener('afterprint', fit);

  body.classList.add('running');
  show((parseInt(location.hash.slice(1), 10) || 1) - 1);
})();
