/// What makes the pages better where scripts run: live progress and keys. Every page works without it.
///
/// It sets text, and takes over whole pages of this server alone.
enum PageScript {
    static let text = #"""
        'use strict';
        (() => {
          const all = (selector, place = document) => [...place.querySelectorAll(selector)];

          // MARK: What happens
          let isBusy = false, isWanted = false;
          const isTouched = () => document.activeElement?.matches('input, textarea, select')
            || all('input, textarea').some(field => field.type !== 'hidden' && (field.type === 'checkbox' || field.type === 'radio'
              ? field.checked !== field.defaultChecked : field.value !== field.defaultValue));
          // What a page says, but for how long ago things were.
          const said = main => main?.innerHTML.replace(/<time[^]*?<\/time>/g, '');
          let last = said(document.querySelector('main'));
          const sign = place => place && (place.getAttribute('href') ?? `${place.name} ${place.value}`);
          const exchange = main => {
            const place = document.activeElement?.closest('main') ? sign(document.activeElement) : null;
            document.querySelector('main').replaceWith(document.adoptNode(main));
            // Whoever works by keys goes on where they were.
            if (place) all('a, button', main).find(other => sign(other) === place)?.focus();
          };
          const refresh = async () => {
            if (isBusy) { isWanted = true; return; }
            isBusy = true;
            isWanted = false;
            try {
              const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
              const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
              const main = page.querySelector('main');
              // What somebody is filling in stays.
              if (answer.ok && main && !isTouched() && said(main) !== last) {
                last = said(main);
                exchange(main);
                const nav = page.querySelector('nav');
                if (nav) document.querySelector('nav').replaceWith(document.adoptNode(nav));
              }
            } catch { /* The next event tries again. */ }
            isBusy = false;
            if (isWanted) setTimeout(refresh, 500);
          };
          if (document.querySelector('main[data-live]')) {
            const events = new EventSource('/api/v1/events');
            events.addEventListener('progressed', event => {
              const run = JSON.parse(event.data);
              for (const place of all('[data-progress]'))
                if (place.dataset.progress === run.pipeline) place.textContent = run.progress?.text ?? '';
            });
            // What happened before it was connected, it was not told.
            events.addEventListener('open', () => setTimeout(refresh, 100));
            for (const name of ['queued', 'started', 'ended', 'late', 'reloaded'])
              events.addEventListener(name, () => setTimeout(refresh, 100));
            addEventListener('pagehide', () => events.close());
          }

          // MARK: Conflicts by keys
          const cards = () => all('article[data-conflict]');
          const current = () => cards().find(card => card.contains(document.activeElement));
          const go = step => {
            const list = cards();
            const card = list[Math.min(Math.max(list.indexOf(current()) + step, 0), list.length - 1)];
            card?.focus();
            card?.scrollIntoView({ block: 'nearest' });
          };
          const take = side => {
            const card = current() ?? (cards().length === 1 ? cards()[0] : null);
            card?.querySelector(`button[name=take][value=${side}]`)?.click();
          };
          document.addEventListener('keydown', event => {
            if (event.ctrlKey || event.metaKey || event.altKey || cards().length === 0) return;
            if (event.target.matches('input, textarea, select')) {
              if (event.key === 'Escape') { (event.target.closest('article') ?? event.target).focus(); event.preventDefault(); }
              return;
            }
            const actions = { j: () => go(1), s: () => go(1), k: () => go(-1), l: () => take('local'),
              r: () => take('remote'), b: () => take('base'),
              e: () => (current() ?? cards()[0])?.querySelector('[name=value]')?.focus() };
            const action = actions[event.key];
            if (action) { event.preventDefault(); action(); }
          });

          // MARK: Choose all of a list
          document.addEventListener('change', event => {
            if (event.target.matches('input[data-all]'))
              for (const box of all('input[type=checkbox][name=id]', event.target.form ?? document)) box.checked = event.target.checked;
          });
        })();
        """#
}
