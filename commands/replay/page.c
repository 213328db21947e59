#include "commands/replay/page.h"

#include "report/html_tables.h"

const struct html_page replay_page = {
    .title = "applyguard replay",
    /* Short tables side by side, as many as fit; each row of the long one needs room for its findings. */
    .style = ".tables { display: block; columns: 24rem; column-gap: 2rem; }\n"
             ".tables > div { break-inside: avoid; }\n"
             ".tables thead th { white-space: normal; overflow-wrap: normal; vertical-align: bottom; "
             "position: static; }\n"
             "#writes td { min-width: 9rem; } #writes .time { min-width: 7rem; }"
             " #writes td.request { min-width: 14rem; }"
             " #writes td.deny, #writes td.warn { min-width: 4rem; }"
             " #writes td:last-child { min-width: 20rem; width: 50%; }\n"
             /* On a phone each row is a paragraph, and the headers remain to sort by. */
             "@media (max-width: 40rem) {\n"
             " #writes, #writes caption, #writes thead, #writes tbody, #writes tr, #writes td { display: "
             "block; }\n"
             " #writes thead tr { display: flex; flex-wrap: wrap; } #writes thead th { border: 0; }\n"
             " #writes tbody tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }"
             " #writes tr[hidden] { display: none; }\n"
             " #writes tbody td, #writes tbody td:last-child { border: 0; padding: 0; min-width: 0; width: "
             "auto; }\n"
             " #writes td:not(.request):not(:last-child) { display: inline-block; margin-right: 1rem; }\n"
             "}\n",
    .script = html_tables_script,
};
