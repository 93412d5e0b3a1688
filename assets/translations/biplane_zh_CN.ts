<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Biplane</name>
    <message>
        <location filename="app/bridge.py"/>
        <source>The model cannot be opened with the settings that What if applied earlier; it is opened with those of the start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/bridge.py"/>
        <source>Opening the other model was cancelled before this was answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/bridge.py"/>
        <source>The model was closed before it answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/bridge.py"/>
        <source>An answer is being written. Wait for its end, or stop it, to open the model again with other settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/bridge.py"/>
        <source>waiting for the answer to finish</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>Tree of cached prefixes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: show all, follow the newest, tidy up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: zoom, move, scroll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: parent, child, siblings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: previous and next checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: this chat alone, fold or unfold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: open a chip or show a node in the chat, pin the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/canvas_keys.py"/>
        <source>tree: messages, tokens, memory, topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/chats.py"/>
        <source>in {told}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/chats.py"/>
        <source> and {rest} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Checkpoint here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Token position of the checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>After token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>{node_title}: from {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Text of the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Verify</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Run the tokens of this checkpoint cold and compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Close details</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_chips.py"/>
        <source>{count} events</source>
        <translation><numerusform>{count} 个事件</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Notices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>What the engine had to say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Evicted, with no copy to resume from on any tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Moved down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Evicted, but still in host memory or on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Left a tier, but a copy remains on the same or a faster one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Sums of events by kind and by cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source> · {again} regretted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>, {freed} freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>, {again} of them regretted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>{hint}. Press to show only these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_chips.py"/>
        <source>Evicted {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Show in tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Go to the tree with this node selected (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Filter events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>No events yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Filter checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>No checkpoints yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Filter evictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>No evictions yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Copy the selected lines (Ctrl+C)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>{table} of {all_of_them}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>{lines} copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_lines.py"/>
        <source>{count} lines</source>
        <translation><numerusform>{count} 行</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>It is no longer in the tree, and neither is any node above it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>It left the cache of a model that is no longer open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>Node {id} is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>Its tokens are a part of {longer} now, which is selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>Its node is selected, which is {tier_words} now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>Node {id} is selected, which is a tombstone now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>It is no longer in the tree. The nearest node above it is selected, up to token {end}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>node {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_place.py"/>
        <source>a node {tier_words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Age</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>When it happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>The cause of an eviction, or a notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>What was evicted: keys and values, the state, or both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>The node's number on the device; nodes of other tiers have none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>The tier that it left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Where a copy is left, if anywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Its span in the prompt; a state is the one at a position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>Bytes freed on the tier that it left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>How long it had been stored, where that is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>How it begins, where that is known; or the notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>KV + state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>KV only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>{sentence} It had last been used {span} before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>{hours:.1f} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>{minutes:.0f} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_rows.py"/>
        <source>{start} to {end}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_view.py"/>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_view.py"/>
        <source>Sort by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_view.py"/>
        <source>Copy as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_window.py"/>
        <source>Event log</source>
        <translation>事件日志</translation>
    </message>
    <message>
        <location filename="app/cache/event_window.py"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="app/cache/event_window.py"/>
        <source>Close this window (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/event_window.py"/>
        <source>Evicted from the device since the model was opened:
</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_window.py"/>
        <source>{count} more evictions are not listed individually</source>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>to make room for keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>to make room for another state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because it was a tombstone that nothing came after any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because no checkpoint was stored after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because a better one replaced it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because its session was dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because you cleared it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because its conversation was deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because it was computed from a state that was found to be wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because it was computed from a state that is less exact than claimed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because an audit found its state to be wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>to make room on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because its file was damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because another process replaced its file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because the file that it continues is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>because its file could not be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>left the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>left host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>left the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>in host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>Tokens {start} to {end} and their state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>Keys and values of tokens {start} to {end}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>nothing was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>the state is lost, but its keys and values are still in the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>no copy is left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>it is still {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>The state at token {end}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>a copy is {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>and {evictions} here</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/eviction_words.py"/>
        <source>{count} earlier evictions</source>
        <translation><numerusform>此前 {count} 次驱逐</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/eviction_words.py"/>
        <source>{freed} freed, {gone}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/folding.py"/>
        <source>{count} nodes</source>
        <translation><numerusform>{count} 个节点</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/folding.py"/>
        <source>{count} tokens</source>
        <translation><numerusform>{count} 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/folding.py"/>
        <source>{count} checkpoints</source>
        <translation><numerusform>{count} 个检查点</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>{what}
{held}
Double-click or press Enter to unfold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>{tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>+{branches:,} branches, {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>+{ids:,} nodes, {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>{nodes} that only follow one another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>{branches:,} branches of {nodes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>{title}
{nodes} that only this conversation uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/folding.py"/>
        <source>Normal: the template drops thinking from later prompts
{nodes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/hover_card.py"/>
        <source>No longer in the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/hover_card.py"/>
        <source>Close this card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/icicle_painter.py"/>
        <source>running request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/icicle_painter.py"/>
        <source>all {nodes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/icicle_view.py"/>
        <source>Each box is as wide as the bytes of all that hangs on it, KV and states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/icicle_view.py"/>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Just evicted, with no copy on any tier: hover to see why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>moved down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Just evicted, but still in host memory or on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Just left a tier, but a copy remains on the same or a faster one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Legend of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_filter.py"/>
        <source>Legend and filter of the marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_filter.py"/>
        <source>{meaning}. Press to dim what is not so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Taken in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>on device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Keys and values are in device memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>host or disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Keys and values are loaded when needed: an outline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>tombstone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Keys and values without a checkpoint on any tier: hatched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>A checkpoint in device memory: a diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>on host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>A checkpoint in host memory: underlined once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>A checkpoint on disk: underlined twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Taken while reading a prompt: a filled diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Taken while writing an answer: a hollow diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>fork</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Taken where a conversation forked: a half-filled diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>compressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Stored in fewer bits: a flat diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>verified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>An audit found no difference that matters: a tick</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>unclear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>An audit could not tell: a question mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>drifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>An audit found a harmless difference: a tilde</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>quarantined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>An audit found it wrong, so nothing uses it: a cross</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Held by the running request: a line below, a ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept until it is unpinned: a pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>The running request has come this far: an arrowhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>system end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept at the end of the system text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>user start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept where a user message starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>before thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept where thinking is cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>answer start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept where an answer starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>tool call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept at a tool call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept after so many tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>branch point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept where two conversations part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>end of prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept at the end of a prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>end of answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept at the end of an answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept where a request was stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/mark_table.py"/>
        <source>Kept because you asked for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>Keys, values and state were in the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>Keys and values were in the cache; the state had to be rebuilt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>Not seen before: keys, values and state were computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match.py"/>
        <source>{label}: {tokens}
positions {start} to {end}
{meaning}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>How much of the last prompt was reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>No request in this conversation yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/minimap.py"/>
        <source>Overview of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/minimap.py"/>
        <source>The whole tree: drag the frame to move the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/node_menu.py"/>
        <source>Copy text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/node_menu.py"/>
        <source>Copy link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/node_menu.py"/>
        <source>Warm a prompt…</source>
        <translation>预热提示词…</translation>
    </message>
    <message>
        <location filename="app/cache/node_menu.py"/>
        <source>Show details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/node_menu.py"/>
        <source>Show in chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/node_menu.py"/>
        <source>Verify checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/owners_row.py"/>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/cache/owners_row.py"/>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/owners_row.py"/>
        <source>{title}
Go to the message at the end of this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/owners_row.py"/>
        <source>Go to the message in {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/owners_row.py"/>
        <source>and {rest} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Why?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Explain this request in the debugger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Why did the last prompt take this long?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>DEVICE MEMORY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>CACHED PREFIXES</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>LAST PROMPT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>, shortened in the middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>of “{title}…”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>{start:,} to {end:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>of “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Copied the text of tokens {span}{rest}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>No tokens routed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>KV plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>State plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Experts in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Unused budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Of {asked} expert lookups, {hits} ({share:.1%}) found the expert in memory; the rest read it from the files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{used} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{label}
{bytes} ({bytes2} bytes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{name} of the running request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{name} cached, locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{name} cached, evictable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{name} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{share:.0%} hits, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{hits}{used} of {budget_bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{resident} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Host tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>Disk tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>all {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>not in this recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes.py"/>
        <source>{used_bytes} of {budget_bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes_view.py"/>
        <source>Device memory by plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/planes_view.py"/>
        <source>Memory of routed experts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/search.py"/>
        <source>Text, #token id, @position or hash:1f3c</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/search.py"/>
        <source>A hash begins with up to 16 digits from 0 to f, as in hash:1f3c.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/search.py"/>
        <source>A position is a number, as in @4,096.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/search.py"/>
        <source>A token id is a number, as in #1234.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Two planes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Attention layers keep keys and values per token. Linear layers keep one state that fits exactly one position: a checkpoint, drawn as a diamond.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Resuming</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>A prompt resumes from the last diamond on its path. Known tokens after it are replayed; the rest are new.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Try it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Send a message, then edit it or regenerate the answer. The tree forks at the exact token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/time_lines.py"/>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/time_lines.py"/>
        <source>−{seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/time_lines.py"/>
        <source>−{seconds} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>Shaded: nothing ran, and the cache kept what it had.
No line: the cache was not watched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>MiB, KV and state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>Bytes of each plane over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>tokens per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>Tokens per second over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/topology_painter.py"/>
        <source>{nodes} · {leaves:,} ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/topology_view.py"/>
        <source>Who goes on from whom, whatever the positions: a tidy tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/topology_view.py"/>
        <source>Topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/trouble.py"/>
        <source>Nothing is being written to disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/view_switch.py"/>
        <source>This chat in full, the others on a line each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/view_switch.py"/>
        <source>View of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/view_switch.py"/>
        <source>This chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Each message has room for its first words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>All tokens are equally wide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/candidate.py"/>
        <source>checking the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/candidate.py"/>
        <source>The engine stopped before the model was open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Reading the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Edit the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Save as a new version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Why? Explain these figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Copy answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Edit as a new version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Fork to a new conversation</source>
        <translation>分叉到新对话</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>edited by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/code_block.py"/>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/code_block.py"/>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/code_block.py"/>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Think</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Let the model think before it answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Attach text files</source>
        <translation>附加文本文件</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Send after this answer (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Send (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Stop (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/context_notice.py"/>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <location filename="app/chat/context_notice.py"/>
        <source>Continue there with what is in the composer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/context_notice.py"/>
        <source>Continue with the last messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/end_buttons.py"/>
        <source>New text below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/end_buttons.py"/>
        <source>Go to the end of the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/end_buttons.py"/>
        <source>Jump to the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/ending.py"/>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/ending.py"/>
        <source>Let the model go on where the answer ends (Ctrl+Shift+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/ending.py"/>
        <source>Continue the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/error_message.py"/>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/file_chip.py"/>
        <source>. Press Delete to remove it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/file_chip.py"/>
        <source>Remove the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/file_chip.py"/>
        <source>File {name}, {figures}{cure}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/file_chips.py"/>
        <source>Attached files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Find in conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Previous match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Next match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/fork_arrows.py"/>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <location filename="app/chat/fork_arrows.py"/>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <location filename="app/chat/fork_arrows.py"/>
        <source>Version {at} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/hits.py"/>
        <source>No matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/hits.py"/>
        <source>{at:,} of {total:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/locate_button.py"/>
        <source>Show in cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/message_editor.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Ask something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Each answer shows how much of the prompt came from the cache. Edit a message, regenerate an answer or start a second conversation, and watch the tree fork.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Write the next message; it is sent after this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Write a message; it is sent once the model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="app/chat/pasted.py"/>
        <source>more, not shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/pasted.py"/>
        <source>{lines}, not shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/pasted.py"/>
        <source>{count} more lines</source>
        <translation><numerusform>另有 {count} 行</numerusform></translation>
    </message>
    <message>
        <location filename="app/chat/prose.py"/>
        <source>Message text</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/queue_view.py"/>
        <source>{count} files</source>
        <translation><numerusform>{count} 个文件</numerusform></translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Edit this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Remove this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Send now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Messages that are sent next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/thinking.py"/>
        <source>The model's template leaves this reasoning out of the next prompt. The model will not see it again; the answer below it stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/thinking.py"/>
        <source>Show or hide the reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Not complete: Biplane ended while this was written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Stopped because the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Cut at the length limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Waiting for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Thought for {figures}{mark}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>will reuse {reused} of {total} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Thinking… {figures}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>{dot}not sent again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>, {predicted_seconds} to the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>{reused} of {tokens} come from the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>{computed} are new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Waiting for {answers} ahead</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/turn_words.py"/>
        <source>{count} answers</source>
        <translation><numerusform>{count} 个回答</numerusform></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>Reading prompt {done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>less than 1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>{replayed} known ones are replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/turn_words.py"/>
        <source>{dot}{left} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Edit your message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Edit and send as a new version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Copy message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Show less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Show all {lines} lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Evict what only this conversation used from memory and from the cache's files. It can still be restored; its next answer takes longer then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>From now on, evict deleted conversations from the cache without being asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Evicting it from the cache…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Restore the conversation (Ctrl+Shift+T)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Evict its cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Always evict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Always evict deleted conversations from the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/deleted_bar.py"/>
        <source>Deleted “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/groups.py"/>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <location filename="app/chats/groups.py"/>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/groups.py"/>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/groups.py"/>
        <source>Some day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/model.py"/>
        <source>answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/panel.py"/>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <location filename="app/chats/panel.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="app/chats/panel.py"/>
        <source>CONVERSATIONS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/panel.py"/>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/panel.py"/>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/results.py"/>
        <source>Search results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/search_field.py"/>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/search_field.py"/>
        <source>Search conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/search_field.py"/>
        <source>Search titles and messages (Ctrl+Shift+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/search_field.py"/>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/chats/search_field.py"/>
        <source>Clear the search (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Choose its node (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Audits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Quarantined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Found wrong, and never used again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Drifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Further off than rounding explains, but with the same next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Unclear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Within what rounding can cause, too far to be sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Verified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>As near to a cold run as its kind can be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Not audited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Nobody has looked at it yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Verify this node now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Run its tokens cold and compare, as soon as nothing runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Verify all resumed from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Audit every checkpoint that a request resumed from and nobody has audited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>Stop verifying (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>The {wanted} used last are verified first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_panel.py"/>
        <source>{told}; {left} more remain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>while idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>with a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Audited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Written by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>How long before the moment on screen it was audited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>The node at whose end it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>The state is the one after so many tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>The nearest tier that has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>How it was computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>What an audit found; empty if none has looked at it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>The largest relative difference from a cold run, in a state, a key, a value or a logit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Divergence of the next token's distribution from that of a cold run, in nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Asked for, or done while the engine was idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>How often a request resumed from it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>How the node begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>There is no checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>Used 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>{audited} of {checkpoints} audited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>The state at token {position} of node {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/audit_rows.py"/>
        <source>{count} requests</source>
        <translation><numerusform>{count} 个请求</numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>no request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>is as near to a cold run as its kind can be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>differs no more than rounding can explain, but too far to tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>differs more than rounding explains, but gives the same next token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>was found wrong and is never used again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>, {wrong} quarantined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>{text} · verifying {asked} of {asked2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>{text} · {wanted} resumed from and not audited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/audit_rows.py"/>
        <source>{where} was never audited; {used} resumed from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/check_list.py"/>
        <source>holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/check_list.py"/>
        <source>violated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_model.py"/>
        <source>The two traces do not have the same prompt here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Traces (*.jsonl *.jsonl.gz)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Open a second trace to compare it with this one, request by request: the same messages with another budget, say. It also appears on the timeline, below this one's tracks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>settings not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Compare with a trace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Close the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Requests of both traces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Compare with a trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/compare_panel.py"/>
        <source>Reading {name}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>Reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>Replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>First token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>Request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>The two traces have no request in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>mean </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source> {requests} differ in the prompt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>policy {policy}, {mode}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>a checkpoint every {interval:,} tokens, {decode_interval:,} in answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>device {device_bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/comparing.py"/>
        <source>host {host_bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/entry_place.py"/>
        <source>That node is not in the cache any more; what is left of the way to it is chosen. Double-click the event to go to just before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/entry_place.py"/>
        <source>That node is not in the cache yet at this moment; what it continues is chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/events_panel.py"/>
        <source>A notice belongs to no node.</source>
        <translation>通知不属于任何节点。</translation>
    </message>
    <message>
        <location filename="app/debug/events_panel.py"/>
        <source>The evictions of a file are in the Evictions panel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Unused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Needed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>When it happened, from the beginning of the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Why it was evicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>The node's number on the tier that it left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>How long it had been stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>How long it had not been used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Its place by last use among those of its kind on that tier: 1 was unused the longest. A policy other than lru may let another go first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>The first request that had to run its tokens again: how many requests later, and how many tokens a copy of it would have saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>How it begins, where that is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>Nothing was evicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>None.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>{evictions} · {freed} · {share} regretted</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/eviction_rows.py"/>
        <source>{count} evictions</source>
        <translation><numerusform>{count} 次驱逐</numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>{when}, {tokens} tok</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>It was needed {later} later{verdict}: with it, {tokens} fewer would have run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>{short}, which cost {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>{total} · {share} regretted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>{after} later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>, which is more than {within} and counts as none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/eviction_rows.py"/>
        <source>{rank} of {among}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Show before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Show the cache just before it was evicted, with its node chosen (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Evictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Regretted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Needed again within that many requests, and on no other tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>No tier had a copy, but nobody needed it within that many requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Left a tier, but a better copy or one on a faster tier remained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Regretted if needed again within this many requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>regretted within</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Copy CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>Copy the selected lines, or all of them, as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>{lines} copied as CSV.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/evictions_panel.py"/>
        <source>{more} earlier ones are not listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Nothing has been watched yet; send a message, or open a trace.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Save a picture, a table or the trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Picture of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Table as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Requests…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Evictions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Comparison…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Trace as JSON lines…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Timeline for Perfetto or Chrome…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Save trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Save the trace without the text of the conversations?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Without it, token ids are written as hashes: everything about the cache can be looked at, but nothing of what was said.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Include token ids and text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>Entry {index} of {tape}, {since} after the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source> of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/menu.py"/>
        <source>{lines:,} lines were saved to {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/timeline_legend.py"/>
        <source>evicted, no copy left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/timeline_legend.py"/>
        <source>copied to another tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/timeline_legend.py"/>
        <source>KV of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/timeline_legend.py"/>
        <source>KV of requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/timeline_legend.py"/>
        <source>states of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/export/timeline_legend.py"/>
        <source>states of requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/forgotten.py"/>
        <source>The first entry was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/forgotten.py"/>
        <source>{entries} forgotten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/forgotten.py"/>
        <source>{first} forgotten to bound the memory that the record takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/forgotten.py"/>
        <source>That moment is forgotten: the record goes back to entry {first:,} of {tape:,}, which is shown instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/forgotten.py"/>
        <source>The first {entries:,} entries were</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Every node begins where its parent ends, has tokens and as many KV slots, and begins with another token than its siblings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Every KV slot of the tree belongs to one node, and every cached slot to a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Free, live and cached KV slots are all there are, and the free ones are listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Every cached state slot is the checkpoint of one node; with the free and live ones they are all there are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Every lock count is the number of locks held there, and KV is locked wherever a state is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>No leaf that nobody holds is a tombstone, whose KV no state could use</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/invariant_rows.py"/>
        <source>{count} moments</source>
        <translation><numerusform>{count} 个时刻</numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Nothing has been checked yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>all of them add up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>Violated: {violated}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>This moment does not add up: {wrong}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>All {checked} invariants hold, checked in {took:.1f} ms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>{bad:,} did not add up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>{seen} seen, {sure}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariant_rows.py"/>
        <source>{figures} here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Invariants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>INVARIANTS OF THE ENGINE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>A recording has no engine whose invariants could be checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>SUMS AT THE MOMENT ON SCREEN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Check now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Check every invariant of the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Save a dump…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Save what is violated, with the whole cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Invariants and sums</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>Save a dump</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/invariants_panel.py"/>
        <source>The dump was saved in {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_actions_view.py"/>
        <source>Read messages into the cache before anybody sends them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_actions_view.py"/>
        <source>Result of the last action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_actions_view.py"/>
        <source>Stop computing; what waits is dropped, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_filter.py"/>
        <source>Only the lines of the chosen node; once more for all (type node: and its number)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_filter.py"/>
        <source>This node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_filter.py"/>
        <source>Only the lines of the chosen node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>Choose a node in the tree: its text, facts and actions stand here then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>The chosen node is not in the cache at this moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>There is nothing to undo in the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>Copy the text of the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>Copy JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>Copy everything known of the node as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>Copy a link that leads here after a restart, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_panel.py"/>
        <source>{what} of the node copied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>User</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Between messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>the system text ends here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>a user message starts here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>the next turn leaves out the thinking after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>an answer starts here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>a tool call starts here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>one at every interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>a prompt branched off here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>a prompt ends here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>an answer ends here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>a prompt was stopped here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>you asked for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Why it is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>yes: no policy evicts it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/node_words.py"/>
        <source>Cuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/own_cost.py"/>
        <source>{frame_ms:.1f} ms a frame · {share:.1f} % of the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/planes_panel.py"/>
        <source>Planes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>This engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>Conversation {session}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>{tape:,} entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>without texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>its first {tape:,} entries are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>{name} was not read to its end: {read}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>The last line of {name} is incomplete and was skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>{name} is very long: its first {first:,} entries are not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source.py"/>
        <source>recorded {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>What the debugger shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>● Recording a trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>Reading the trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>Open demo trace</source>
        <translation>打开演示轨迹</translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>Open trace…</source>
        <translation>打开轨迹…</translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>Back to this engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>No model is open. A trace can be looked at without one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>Close trace</source>
        <translation>关闭轨迹</translation>
    </message>
    <message>
        <location filename="app/debug/source_bar.py"/>
        <source>Reading {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>The tokens of all nodes on the device are its cached KV slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>locked KV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>The tokens of all locked nodes are the locked KV slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>The checkpoints on the device are its cached state slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>slots apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>No two checkpoints share a slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>Bytes of the KV plane are those of its slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>state plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>Bytes of the state plane are those of its slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>planes bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>The parts of the planes bar are all that the engine holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>cached bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>What the planes bar shows as cached is what the pools hold for the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>host KV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>host state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>{name} slots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/sums.py"/>
        <source>Free, live and cached {name} slots are all slots of the pool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>KV in files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>states and the rest of the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>Request {number} · {session}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>{numbers:,} events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>At {clock}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>No copy was kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>Nothing is known of that time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>: KV {kv}, states {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>{capitalize}: {total} in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>At {clock}, took {span}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>Prompt of {tokens}: {reused:,} reused, {replayed:,} replayed, {computed:,} new{prefill}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>Answer of {tokens}{decode}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>and {kinds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/timeline/cards.py"/>
        <source>{count} more kinds</source>
        <translation><numerusform>另有 {count} 种</numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>{freed} freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>From {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>Node {node} of the {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>{n} of {of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>Budget {budget}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source>A copy is on the {copy} tier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/cards.py"/>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <location filename="app/debug/timeline/figures_box.py"/>
        <source>Figures of the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/figures_box.py"/>
        <source>Copy the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/figures_box.py"/>
        <source>Clear the selection (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/frame.py"/>
        <source>KV, states hatched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/frame.py"/>
        <source>{lasted} idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/frame.py"/>
        <source>budget {budget}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/frame.py"/>
        <source>top {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Requests ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Tokens reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Tokens replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Tokens new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Tokens written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Prompt tokens between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Tokens written between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Evictions between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Peak, {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/interval.py"/>
        <source>Bytes, {tier}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/keys.py"/>
        <source>timeline: zoom, move, show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/keys.py"/>
        <source>timeline: previous, next, track above, below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/keys.py"/>
        <source>timeline: go to the chosen event, fold the track</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/keys.py"/>
        <source>timeline: marker A, marker B at the playhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/keys.py"/>
        <source>timeline: begin, end, clear the interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Inserted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Checkpoint stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Checkpoint skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>State evicted, tombstone left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>KV evicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>KV and state evicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>State replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Not copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>File removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Unpinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>By hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Settings changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Planes resized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Resized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Cleared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Entries missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/kinds.py"/>
        <source>Missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Nothing has happened yet. Send a message, and its request appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Aligned at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Aligned by request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Aligned by time of day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Shorten pauses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Draw each pause between two requests as a quarter of a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>How the two traces are aligned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Show everything (F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Zoom in (W)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Zoom out (S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Markers A and B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/panel.py"/>
        <source>Computing the tracks: {behind:,} entries to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Requests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Prompt tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Device bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Host bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Disk bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Cache events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/timeline/tracks.py"/>
        <source>Tokens per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>One request back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>One entry back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>One entry forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>One request forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>To the next eviction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>Playback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>How fast it plays; pauses pass as quickly as they are drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>before the newest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>before the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>Return to now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>The earliest moment kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>entry {index} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>There is no eviction after this moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>There is no eviction before this moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>The earliest moment kept: entry {index}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>In the past: {ago} {before}, {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>{ago} ago, {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>{ago} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_bar.py"/>
        <source>End of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_keys.py"/>
        <source>debugger: play or pause (timeline: Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_keys.py"/>
        <source>debugger: one entry back, forward (timeline: [ ])</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_keys.py"/>
        <source>debugger: one request back, forward (timeline: { })</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_keys.py"/>
        <source>debugger: next, previous eviction (timeline: N, Shift+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/transport_keys.py"/>
        <source>debugger: to the start, to the newest (timeline: Home, L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_finding.py"/>
        <source>Find in the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>Fold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>Fold long chains and wide fans into chips (Z)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>Marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>What the marks mean, and filter by them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>Find a text, token, position or hash (Ctrl+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/tree_panel.py"/>
        <source>What the debugger itself costs, while it is on screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/columns.py"/>
        <source>{reused} reused, {replayed} replayed, {computed} new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/columns.py"/>
        <source>Request {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/columns.py"/>
        <source>Requests {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/columns.py"/>
        <source>today: {today}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/columns.py"/>
        <source>predicted: {predicted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/curve.py"/>
        <source>{value}: {reused:.1%} reused, {replayed:.1%} replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/curve.py"/>
        <source>Reuse by {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figure_table.py"/>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figure_table.py"/>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figure_table.py"/>
        <source>today {today}, predicted {predicted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>The recording has requests only, so there is nothing to compare with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>With unchanged settings the replay reuses exactly what was recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>The recording does not begin with an empty cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>These settings would have reused the same tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/what_if/figures.py"/>
        <source>{count} more tokens would have been reused</source>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Share of all prompt tokens that no request had to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Tokens whose keys and values were there, but no state to go on from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Tokens that no tier knew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Replay time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>What running the replayed tokens takes at the measured speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Mean time to the first token, at the measured speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Reserved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Device memory for both planes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Used at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>The most that the tree on the device ever held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Nodes and checkpoints that left the device; more of them are no loss by themselves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Not stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Checkpoints for which no slot was free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>With unchanged settings {count} would reuse other tokens than recorded. {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/what_if/figures.py"/>
        <source>{count} fewer tokens would have been reused</source>
        <translation type="unfinished"><numerusform></numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>As many tokens would have been reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>, the first token {time} earlier on average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>, the first token {time} later on average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>{sentence}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/figures.py"/>
        <source>Reserved for what the device evicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knob_rows.py"/>
        <source>{hint}
Today: {was}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knob_rows.py"/>
        <source>{told}; {was} today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>C: most prompt tokens between two checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Decode interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>D: tokens of an answer between two checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Device budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Memory of both planes on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>State share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Part of the budget for states at first, on the device and on the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Host budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Host memory for what the device evicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Disk budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Files for what host and device evict. A replay's disk begins with the files that were there and keeps everything, whatever its budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>What goes first when there is no room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>fast resumes from every checkpoint, exact only where results stay equal to the bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/knobs.py"/>
        <source>{value:,} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>This opens the model again. Conversations stay; what is in the cache comes back from disk, if there is a disk tier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Open the debugger on the engine itself to apply these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Applied between two requests; the cache stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Predicting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Return to the settings before the last Apply, and remember those</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>All sliders as the settings are now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Curve by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>No request has been recorded yet. Send a message, or open a trace.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>REUSE BY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>REQUESTS: REUSED, REPLAYED, NEW</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Apply and reopen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>These are the settings of a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Replaying {requests}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>{requests}. Move a slider to see what other settings would have done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/what_if/panel.py"/>
        <source>{count} recorded requests</source>
        <translation><numerusform>{count} 个已记录的请求</numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Most is reused from {words} on: {reused:.1%}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/panel.py"/>
        <source>Predicted in {study_time}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>decode interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>device budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>state share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>host budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>disk budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>Remembered for the next start of this model: {told}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>{said} A value on the command line goes before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/remembered.py"/>
        <source>{said} This start's command line sets another {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/requests_plot.py"/>
        <source>Tokens reused, replayed and new, by request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/requests_plot.py"/>
        <source>today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/requests_plot.py"/>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/split_bars.py"/>
        <source>How the device's memory is divided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/split_bars.py"/>
        <source>states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/split_bars.py"/>
        <source>{name}: {kv} keys and values, {state} states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/study.py"/>
        <source>The process that predicts has ended. Move a slider to start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/what_if/sweep.py"/>
        <source>No request was recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Keep the date and the time out of the system text, or put them into the last message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Leave the system text as it is during a conversation, or begin a new one with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Keep the list of tools the same, in the same order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>What follows an edit has to be read again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>The wrong state is not used any more, and this run stored a sound one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>The file was removed, and this run stored its state anew. If it happens again, check the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>It was removed on request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>The request asked for no cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Record from the start to see why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Another text has to be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>It is the model's template that does so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Nothing to change: nothing ran that could have been saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/debug/why/advice.py"/>
        <source>{count} changes</source>
        <translation><numerusform>{count} 项改动</numerusform></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Nothing to change. {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Use the eviction policy {policy} (--policy {policy}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>This turn would run {now} tokens instead of {was}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>{line}. Predicted by replaying the recorded requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>None of {tried} tried in the simulator would have helped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Give the device's cache {device_bytes} instead of {device_bytes2} (--cache-mb {device_bytes3}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Give the host tier {host_bytes} instead of {host_bytes2} (--host-mb {host_bytes3}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Store a checkpoint every {interval} tokens instead of {interval2} (--interval {interval3}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Store one every {decode_interval} tokens of an answer instead of {decode_interval2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>Use {mode} mode (--mode {mode}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>, {saved_s} sooner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/advice.py"/>
        <source>; all requests up to it, {all_now} instead of {all_was}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Looking for a change that would have helped…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>No request yet. Send a message, or open a trace: each request is explained here, with what would have made it faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Request before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Request after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Open in what-if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Choose the node where the prompt left the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Show eviction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Go to the moment when the checkpoint went</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Go to message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Leave the debugger for the message in the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>BOTH TEXTS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>reused {reused:,} · replayed {replayed:,} · new {computed:,} of {total:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>TO THE FIRST TOKEN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>WHAT TO CHANGE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>none came</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Show moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/panel.py"/>
        <source>Nothing of this prompt was in the cache at that moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Tokens whose keys, values and state were in the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Tokens that were in the cache, but ran again to rebuild the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Tokens that were not in the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>The prompt to scale: reused, replayed (hatched), new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Seconds from the request to its first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Why it ran what it ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>thinking left out (normal)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/request_rows.py"/>
        <source>Request {number}, {title}: {prompt:,} tokens, {reused:,} reused, {replayed:,} replayed, {computed:,} new{why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>All conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>A conversation with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>a bar of this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>This conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>Only requests of the chosen request's conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>No request yet. Each one will be listed here with what it reused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/requests_panel.py"/>
        <source>{shown} of {requests}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/ruler.py"/>
        <source>No request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/ruler.py"/>
        <source>Resumed from the checkpoint at {reused}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/ruler.py"/>
        <source>One at {needed} would have been needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/ruler.py"/>
        <source>The texts part at {at}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>Copy both texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>Request {other}, its answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>Request {other}, its prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>The prompt and request {other} part at token {at}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>This prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>Text in the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>Text of this prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>{at} The trace has positions, but no texts: they were left out when recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>{at} From {prompt_to} on, {again} are the same again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/sides_view.py"/>
        <source>In the cache:
{cached}

This prompt:
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>lookup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>Rendering the prompt, and finding it in the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>Taking slots and copying the checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>replay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>Running again what was known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>Running what is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>first step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>The step of the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/times_bar.py"/>
        <source>Time to the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/token_flow.py"/>
        <source>differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/token_flow.py"/>
        <source>the same on both sides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/token_flow.py"/>
        <source>token {position}: {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>checkpoints at an interval are switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>none: it began at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>its file was damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>{tokens} ran again from {start}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>What became of the state at {at} happened before the recording began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>besides those at messages, one is stored every {every} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>{seconds} before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>so the {tokens} after it ran again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The prompt leaves what was cached at token {at}; its other {tokens} ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Request {number} · {title} · {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Checkpoint used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>at {reused}, {place}, {provenance}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>left {place}{when}: {named}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>{went}, for request {during}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>{older} of {among} candidates had been unused for longer{by}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>{evidence}, so {evidence2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>the checkpoint at {reused}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>while an answer is written, one is stored every {every} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Would have been needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>What became of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Shares most with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>never taken: no slot was free{when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>never taken: {obstacle}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>quarantined{when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>; {policy} chose it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>the only candidate{by}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>the longest unused of {among} candidates{by}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The checkpoint at token {at} was evicted {when}while its own conversation went on ({named})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The cache is too small for both chats: {obstacle} pushed out the checkpoint at token {at}, {when}by {named}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Host memory was full: the copy of the checkpoint at token {at} was evicted from there {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The disk budget was used up: the file with the checkpoint at {at} is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>No checkpoint was taken at {at}, because every state slot was in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>No checkpoint was ever taken near token {at}: {obstacle}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>An audit had found the checkpoint at {at} to be wrong, and nothing uses it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The file with the checkpoint at {at} was damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>No state up to token {at} is bit-exact for this prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The checkpoint at {at} had been removed ({named})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The cache was not used for this request, so all {all_of} ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>All {all_of} were in the cache, with the state at their end: nothing ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The device's cache has no room for a prompt of {all_of}, so nothing ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Nothing of this prompt had been seen before, so all {all_of} ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Only what is new ran, {tokens}: the prompt goes on from what was cached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>It shares its first {shared} with another chat; the other {tokens} are new.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>This is normal in a straight chat: the template leaves earlier thinking out of the prompt, so the answer after it and the new message, {tokens}, were read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The date or time at token {at} changed from “{was}” to “{now}”, {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The system text changed at token {at}, {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The list of tools changed at token {at}, {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>An earlier message was edited at token {at}, {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The template does not reproduce an earlier answer as it was written, from token {at} on, {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>The template rendered the same messages differently at token {at}, {after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>Its rank then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>at {position}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/debug/why/words.py"/>
        <source>request {nearest}, its first {shared}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/behind.py"/>
        <source>The file cannot be written: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/behind.py"/>
        <source>That did not work ({name}); see the log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/picture.py"/>
        <source>it may be write-protected, or its format is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/saving.py"/>
        <source>PNG (*.png);;SVG (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/saving.py"/>
        <source>The picture was saved to {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/saving.py"/>
        <source>Picture of {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/saving.py"/>
        <source>the file cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/saving.py"/>
        <source>{name} cannot be written: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/export/saving.py"/>
        <source>{name} was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/folder_check.py"/>
        <source>{name} needs {weights} of memory, but only {free_bytes} is available: close other programs, or choose fewer bits in File &gt; Weights and experts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/folder_check.py"/>
        <source>{args} cannot be read: {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>K and V</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>linear layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>value dims</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>key dims</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>conv window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>(K and V)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>dims</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/arithmetic.py"/>
        <source>full layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/curves.py"/>
        <source>Cache bytes by context length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/curves.py"/>
        <source>tokens of context, both axes logarithmic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/curves.py"/>
        <source>conversation {conversation}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/export_button.py"/>
        <source>Save a picture of this tab, or its figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/export_button.py"/>
        <source>Picture…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/export_button.py"/>
        <source>Figures as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/export_button.py"/>
        <source>Memory lab: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/layer_strip.py"/>
        <source>Layer {found}: full attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/layer_strip.py"/>
        <source>Layer {found}: linear attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/layer_strip.py"/>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>norm of the key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>norm of the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>change of the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>value read back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>largest numbers of the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Changes of the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Values read back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Layer of full attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Linear layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Head of keys and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Head of the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>The state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>What the token wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>FULL ATTENTION APPENDS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>LINEAR ATTENTION OVERWRITES</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>HOW MUCH EACH TOKEN CHANGED THE STATE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>VALUES THAT CAN BE READ BACK FROM THE STATE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>the state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>what this token wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Full attention: {full}. Linear attention: {linear}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Layer {at}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Head {at}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Layers. Tall: full attention, keys and values of every token. Short: linear attention, one state.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>full-attention layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>linear layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Context length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Context length in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>NOW</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>No messages yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>At {tokens}, layer {chosen}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>At {tokens}: {sizes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>AT {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>{title}. {lines} Now: {now}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>This conversation: {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Feed the tokens one by one: full attention appends an entry for each and never touches it again, linear attention rewrites one state of fixed size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>This model has no layer of full attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>This model has no layer of linear attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Changed by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Kept by the gate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Beta</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/memory_words.py"/>
        <source>{count} heads</source>
        <translation><numerusform>{count} 个头</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>The last {texts} of {tokens}; the ones before them ran, but are not shown one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Token {place} of {of}: {texts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Token {place} appended a key and a value for each of {heads}: {shape} B. The layer now holds {size} for {tokens}; the earlier entries are as they were.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>The token overwrote the state in place; the layer still holds {size}. In this head the gate first kept {kept} of every number. Then {rate} (beta) of the difference between the token's value and what its key read so far was written. In all that moved the state by {changes} of its norm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Asked with each earlier token's own key, the state returns {clear} of {values} values clearly (cosine {clear2} or more); least well that of {texts}, {values2}. The full layer still has all of them exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>{tokens}, from the first one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Asked with this token's own key, the state returns its value with a cosine of {values}; 1 would be exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/memory_words.py"/>
        <source>Like {tokens} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>Nothing has run since the model was opened. Ask something, and watch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>Prefill runs many prompt tokens at once, so each reading of the weights serves all of them. Decode reads the weights again for every token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>With the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>Every prompt cold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>No cache at all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>as it ran: only what is new or has to be replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>each prompt computed from its first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>the whole sequence again for every token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>{requests}: {positions} ran. Cold, every prompt computed from its first token, it would be {cold}: the cache saved {saved}{share}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/phase_sentences.py"/>
        <source>{count} positions</source>
        <translation><numerusform>{count} 个位置</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>So far prefill was no faster per token: its prompts were too short to share a reading of the weights. {phases}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>{tokens} in {seconds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>Prompts took {seconds}; cold, at the same speed, ~{cold}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>{name}: a prompt of {tokens}, {reused} reused, {replayed} replayed, {computed} new, then {steps}: {positions}. Cold {cold}, no cache at all {bare}. The prompt took {taken}{cold2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/phase_sentences.py"/>
        <source>{count} decode steps</source>
        <translation><numerusform>{count} 个解码步</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>The last {runs} of </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>A decoded token took {slow:,.1f} times as long as a prefilled one. {phases}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>Request {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source>, cold ~{speed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phase_sentences.py"/>
        <source> in "{title}"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>POSITIONS OF EACH REQUEST</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>IN SUM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>decoded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>the same request cold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>POSITIONS PROCESSED, EXACT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>MEASURED TIME A TOKEN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{name}, to scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{requests} since the model was opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{name}, positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{name}, time a token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_bars.py"/>
        <source>The needle in each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_bars.py"/>
        <source>share of what is read, 0 to 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_bars.py"/>
        <source>own key, 0 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>share of what full attention reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>share of what a linear layer reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>answer of the state to the needle's key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Find a word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Find a word to be the needle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Needle: {needle}, tokens {first:,} to {end:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>"{text}" is not among these tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Click a word to make it the needle; or find one, and press Enter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Click: needle. Shift+click: up to here. Ctrl+click: ask from here. Keys: arrows, Enter (needle), Q (ask from here).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>How much of what each layer reads, when the model has come to a token, is there because of another one, the needle?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Full attention: the share of the query's attention that falls on the needle, the mean over the heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Linear attention: how much of what the query reads from the state was written by the needle and not erased since. Over all tokens either sums to 100 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Own key: the cosine between the needle's value and what the state returns for the needle's own key; 1 is exact recall.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>, the last token there is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>The last {texts} of {tokens}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Token {position} of {total} has just been read: {texts}{after}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Layer {layer}, {kind}: {shares}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>{line} Own key, by head: {answers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>, and the next token is {texts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Layer {layer} (full) puts {shares} of its attention on {needle}; an even share would be {reading}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Of what a linear layer reads, at most {most} was written by it (layer {layer}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>Asked with the needle's own key, layer {layer} returns its value best: {answers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/recall_words.py"/>
        <source>head {at} {head}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/scale.py"/>
        <source>KiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/scale.py"/>
        <source>MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/scale.py"/>
        <source>GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>Open a model to see what its cache holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>Full attention, every head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>Full attention, grouped heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>This model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>The same at any length.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/sentences.py"/>
        <source>{count} query heads</source>
        <translation><numerusform>{count} 个查询头</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>Its heads are not grouped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>This conversation has no tokens yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{name}: {layers}, {full_layers} full and {linear_layers} linear. Window {window} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/sentences.py"/>
        <source>{count} layers</source>
        <translation><numerusform>{count} 层</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{grouped} The linear layers hold {fixed} at any length, which is less memory than grouped heads on every layer from {tokens} tokens on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>Layer {index}: {kind} attention, {bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/sentences.py"/>
        <source>{count} states</source>
        <translation><numerusform>{count} 个状态</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{line} The state is kept in {state_dtype}; at {half_itemsize} bytes a number it would be {half}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{line}; the cache has room for {room}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{queries} share {kv} of keys and values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{grouped} It has no linear layers, so nothing is fixed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>Each token adds {shape} B.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>All conversations, on the device: {what}, {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/sentences.py"/>
        <source>{name}, sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>A text of my own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>What to look at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>A text to look at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>Type a text and press Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>Read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>Reading.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/source_row.py"/>
        <source>Reading: {at} of {of} have run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/token_bars.py"/>
        <source>Entries of the layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/token_bars.py"/>
        <source>not yet fed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/token_bars.py"/>
        <source>{texts}: key {keys:.3g}, value {values:.3g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/token_field.py"/>
        <source>Needle: {texts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/total_curves.py"/>
        <source>Positions in sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/total_curves.py"/>
        <source>requests, sums on a logarithmic axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/totals.py"/>
        <source>{names}, to scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/transport.py"/>
        <source>One token back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/transport.py"/>
        <source>One token forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/turn_bars.py"/>
        <source>Positions of each request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Two memories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Prefill and decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Memory lab</source>
        <translation>内存实验室</translation>
    </message>
    <message>
        <location filename="app/launch_marker.py"/>
        <source>Help &gt; Show log has the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/launch_marker.py"/>
        <source>crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/launch_marker.py"/>
        <source>ended unexpectedly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/launch_marker.py"/>
        <source>The last run of Biplane {how} (started {started:%d %B %Y, %H:%M}); {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/launch_marker.py"/>
        <source>The last {lost} runs of Biplane ended unexpectedly; {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/log.py"/>
        <source>The log {path} cannot be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/main.py"/>
        <source>Biplane cannot continue ({name}). Its log is {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/entries.py"/>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/entries.py"/>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>Up and Down choose, Enter opens, Esc closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>Palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>Find a command, setting, model or conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>Find anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>Nothing is called that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/palette/palette.py"/>
        <source>Begin with &gt; for commands alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/preflight.py"/>
        <source>Biplane found no display. Start it from a desktop, or set QT_QPA_PLATFORM=offscreen to take screenshots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/preflight.py"/>
        <source>Biplane's window needs PySide6, which is not installed: run "pip install PySide6-Essentials&lt;6.12".</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/preflight.py"/>
        <source>Qt cannot load a system library ({error}). On Debian or Ubuntu run: sudo apt install {libraries} {x11_libraries}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/preflight.py"/>
        <source>Qt needs a system library that is not installed ({missing}). On Debian or Ubuntu run: sudo apt install {libraries} {x11_libraries}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/acts.py"/>
        <source>Waiting until no answer runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/acts.py"/>
        <source>Computing: {done:,} of {total:,} tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/keeper.py"/>
        <source>This conversation is empty; there is nothing to export.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/keeper.py"/>
        <source>{path} cannot be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/lab.py"/>
        <source>Open a model to look into its memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/lab.py"/>
        <source>This conversation has no messages yet: say something, or type a text here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/loading.py"/>
        <source>What you send meanwhile is answered once it is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/loading.py"/>
        <source>Closing the model before and saving its cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/loading.py"/>
        <source>Opening {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/loading.py"/>
        <source>{name} stays open until then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/loading.py"/>
        <source>Cancel goes back to {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/model.py"/>
        <source>Verifying the checkpoint; Esc stops it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/names.py"/>
        <source>No conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/names.py"/>
        <source>Deleted conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/records.py"/>
        <source>No model is open. Choose one with File &gt; Open model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>Cache checked: every invariant holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>That node has no checkpoint to verify.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>The engine has stopped. Open a model to continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>Other settings apply from the next request on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>{name} could not be opened: {sentence}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>Recording. Token ids are written as hashes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>The trace was saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/reducer.py"/>
        <source>What happened in the cache cannot be followed: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/removal.py"/>
        <source>Its messages cannot be read, so its cache stays; Cache &gt; Clear cache removes all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/removal.py"/>
        <source>It is evicted from the cache when its model is opened, if that is before Biplane closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/removal.py"/>
        <source>Nothing of it was left in the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/removal.py"/>
        <source>Evicted from the cache: {figures}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/removal.py"/>
        <source>Open {names} before closing Biplane to evict it from the files of that model, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/search.py"/>
        <source>{matches} in {conversations}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/session/search.py"/>
        <source>{count} conversations</source>
        <translation><numerusform>{count} 个对话</numerusform></translation>
    </message>
    <message>
        <location filename="app/session/search.py"/>
        <source>No conversation has {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/search.py"/>
        <source>The newest {most_hits} matches. Another word finds fewer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/search.py"/>
        <source>all these words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/search.py"/>
        <source>this word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/settings.py"/>
        <source>Biplane's own default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/settings.py"/>
        <source>start option</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/settings.py"/>
        <source>model's generation_config</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/text_files.py"/>
        <source>{name} is too large: a file may have at most {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/text_files.py"/>
        <source>{name} is no text file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/text_files.py"/>
        <source>{name} is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/text_files.py"/>
        <source>{name} cannot be read: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/text_files.py"/>
        <source>{name} is a folder; only text files can be attached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/text_files.py"/>
        <source>{name} is no ordinary file; only text files can be attached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/transfer.py"/>
        <source>{conversations} imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/transfer.py"/>
        <source>{made}; {lost} could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/transfer.py"/>
        <source>{sentence} The rest of the file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/transfer.py"/>
        <source>{path} cannot be written: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>Waiting, because the answer was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>Waiting, because the answer failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>Waiting, because the context is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>Waiting since Biplane was closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>{name} is attached already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>{name} was not attached: a message may have at most {most_files} files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/session/unsent.py"/>
        <source>{name} was not attached: the files of a message may have at most {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Settings of the conversation</source>
        <translation>对话设置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Close the settings</source>
        <translation>关闭设置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Return all sampling to the defaults</source>
        <translation>将所有采样参数恢复为默认值</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>SAMPLING</source>
        <translation>采样</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>“{name}” was deleted.</source>
        <translation>已删除“{name}”。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <location filename="app/settings/preset_dialog.py"/>
        <source>Choose what goes into the preset.</source>
        <translation>请选择要存入预设的内容。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Rename preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Model's defaults</source>
        <translation>模型默认值</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Presets: {current}</source>
        <translation>预设：{current}</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>{name}. Choose, save, rename or delete one.</source>
        <translation>{name}。可选择、保存、重命名或删除预设。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>No presets yet</source>
        <translation>还没有预设</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Save as preset…</source>
        <translation>另存为预设…</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>“{name}” is replaced.</source>
        <translation>将替换“{name}”。</translation>
    </message>
    <message>
        <location filename="app/settings/preset_menu.py"/>
        <source>Another preset is called “{name}”.</source>
        <translation>已有另一个名为“{name}”的预设。</translation>
    </message>
    <message>
        <location filename="app/settings/row.py"/>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <location filename="app/settings/row.py"/>
        <source>Reset {title}</source>
        <translation>重置{title}</translation>
    </message>
    <message>
        <location filename="app/settings/row.py"/>
        <source>{title}, changed</source>
        <translation>{title}，已更改</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Instructions that the model reads before the conversation</source>
        <translation>模型在对话开始前读取的指令</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Cost of the system text</source>
        <translation>系统文本的开销</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Use this text from the next message on (Ctrl+Enter)</source>
        <translation>从下一条消息起使用此文本 (Ctrl+Enter)</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>Return to the text that is in use</source>
        <translation>恢复为正在使用的文本</translation>
    </message>
    <message>
        <location filename="app/settings/system_text.py"/>
        <source>SYSTEM TEXT</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <location filename="app/shell/anything.py"/>
        <source>Search all messages for “{words}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/anything.py"/>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/anything.py"/>
        <source>not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/anything.py"/>
        <source>open model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/anything.py"/>
        <source>needs {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/applying.py"/>
        <source>The setting counts, but {problem}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/shell/attaching.py"/>
        <source>{count} other files</source>
        <translation><numerusform>另外 {count} 个文件</numerusform></translation>
    </message>
    <message>
        <location filename="app/shell/attaching.py"/>
        <source>{more} too many: a message may have at most {most_files}.</source>
        <translation>多出 {more}：一条消息最多可附 {most_files} 个。</translation>
    </message>
    <message>
        <location filename="app/shell/attaching.py"/>
        <source>{left} could not be attached.</source>
        <translation>{left}无法附加。</translation>
    </message>
    <message>
        <location filename="app/shell/cache_menu.py"/>
        <source>Record trace</source>
        <translation>记录轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an open model</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an open trace</source>
        <translation>打开的轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an answer</source>
        <translation>一个回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a message of yours</source>
        <translation>一条您的消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a deleted conversation</source>
        <translation>已删除的对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;Conversation</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>C&amp;ache</source>
        <translation>缓存(&amp;A)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Cancel opening the model</source>
        <translation>取消打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Weights and experts…</source>
        <translation>权重与专家…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Export conversation…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Export all conversations…</source>
        <translation>导出所有对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Import conversations…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Save trace as…</source>
        <translation>轨迹另存为…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Find in conversation…</source>
        <translation>在对话中查找…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Find anything…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Search messages…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Go to link of a node…</source>
        <translation>转到节点链接…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Attach files…</source>
        <translation>附加文件…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Continue answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Edit last message</source>
        <translation>编辑上一条消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Edit last answer</source>
        <translation>编辑上一个回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Open this conversation's model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Go on with the open model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Restore deleted conversation</source>
        <translation>恢复已删除的对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Evict deleted conversation from cache</source>
        <translation>将已删除的对话从缓存中驱逐</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Always evict deleted conversations</source>
        <translation>始终驱逐已删除的对话</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Debugger</source>
        <translation>调试器</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Debugger panels</source>
        <translation>调试器面板</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Reset debugger layout</source>
        <translation>重置调试器布局</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Show whole tree</source>
        <translation>显示整棵树</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Check cache invariants</source>
        <translation>检查缓存不变量</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Verify states when idle</source>
        <translation>空闲时验证状态</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Record trace…</source>
        <translation>记录轨迹…</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Clear cache</source>
        <translation>清空缓存</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>About Biplane</source>
        <translation>关于 Biplane</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>chat</source>
        <translation>聊天 chat</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>load folder</source>
        <translation>加载 文件夹 load</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a model on its way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>stop loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>format quantise memory</source>
        <translation>格式 量化 内存 quantise</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>recording</source>
        <translation>录制 记录 recording</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>recording example</source>
        <translation>录制 示例 example</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a message in the conversation</source>
        <translation>对话中的一条消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>save Markdown JSON</source>
        <translation>保存 Markdown JSON</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>save backup</source>
        <translation>保存 备份 backup</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>ChatGPT Open WebUI</source>
        <translation>ChatGPT Open WebUI</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>exit close</source>
        <translation>退出 关闭 exit</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>palette commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>find text conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>add upload</source>
        <translation>添加 上传 upload</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>something running</source>
        <translation>正在运行的任务</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>again retry</source>
        <translation>重试 再来一次 retry</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>an answer that was cut</source>
        <translation>被截断的回答</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>branch copy</source>
        <translation>分支 复制 branch</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a message with several versions</source>
        <translation>有多个版本的消息</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>branch</source>
        <translation>分支 branch</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>temperature sampling system text preset</source>
        <translation>温度 采样 系统文本 预设 temperature</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>a conversation with another model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>switch change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>title</source>
        <translation>标题 title</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>top</source>
        <translation>置顶 top</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>remove</source>
        <translation>移除 删除 remove</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>undo</source>
        <translation>撤销 undo</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>list sidebar pane</source>
        <translation>列表 侧栏 sidebar</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>tree pane</source>
        <translation>树 面板 tree</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>zoom fit</source>
        <translation>缩放 适应 fit</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>empty delete</source>
        <translation>清空 删除 empty</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>help keys</source>
        <translation>帮助 按键 help</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>diagnostics</source>
        <translation>诊断 diagnostics</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>version</source>
        <translation>版本 version</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>theme appearance</source>
        <translation>主题 外观 theme</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>theme appearance bright</source>
        <translation>主题 外观 亮色 theme</translation>
    </message>
    <message>
        <location filename="app/shell/command_table.py"/>
        <source>theme appearance night</source>
        <translation>主题 外观 夜间 暗色 theme</translation>
    </message>
    <message>
        <location filename="app/shell/debugger.py"/>
        <source>That request is not in the record any more: a model was opened since.</source>
        <translation>该请求已不在记录中：此后又打开过模型。</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Local chat with hybrid models on a two-plane prefix cache.

The upper wing keeps keys and values, the lower one keeps recurrent states. Nothing leaves this computer.</source>
        <translation>基于双平面前缀缓存的混合模型本地聊天。

上翼保存键和值，下翼保存循环状态。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Version {app_version}</source>
        <translation>版本 {app_version}</translation>
    </message>
    <message>
        <location filename="app/shell/events.py"/>
        <source> Press Enter to show the tree.</source>
        <translation>按 Enter 显示树。</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Biplane, ChatGPT and Open WebUI (*.json *.zip)</source>
        <translation>Biplane、ChatGPT 与 Open WebUI (*.json *.zip)</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>JSON, with every branch (*.json)</source>
        <translation>JSON，含所有分支 (*.json)</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Export conversation</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Export all conversations</source>
        <translation>导出所有对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Import conversations</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>The conversation was exported to {name}.</source>
        <translation>对话已导出到 {name}。</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>{conversations} exported to {name}.</source>
        <translation>已将 {conversations}导出到 {name}。</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Importing {name}…</source>
        <translation>正在导入 {name}…</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Choose the folder of a Qwen3.5, Qwen3.6 or Qwen3-Next model: the one with config.json, tokenizer.json and *.safetensors.</source>
        <translation>请选择 Qwen3.5、Qwen3.6 或 Qwen3-Next 模型的文件夹，即包含 config.json、tokenizer.json 和 *.safetensors 的文件夹。</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Choose another folder…</source>
        <translation>选择其他文件夹…</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>The model could not be opened</source>
        <translation>无法打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>{name} could not be opened</source>
        <translation>无法打开 {name}</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Continue with {previous}</source>
        <translation>继续使用 {previous}</translation>
    </message>
    <message>
        <location filename="app/shell/failure_card.py"/>
        <source>Reopen {previous}</source>
        <translation>重新打开 {previous}</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>If you skip the rest, earlier prompts are processed again next time. Nothing else is affected.</source>
        <translation>如果跳过剩余部分，下次需要重新处理之前的提示词，其他不受影响。</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Saving the cache</source>
        <translation>正在保存缓存</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Quit without saving the rest</source>
        <translation>不保存剩余部分并退出</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>Message field and lists</source>
        <translation>消息框与列表</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>send, or queue while an answer is written</source>
        <translation>发送；回答尚未写完时排队</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>remove an attached file (on its chip)</source>
        <translation>移除附加的文件（焦点在文件标签上时）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>next, previous and open (while searching)</source>
        <translation>下一个、上一个、打开（搜索时）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>next and previous match (while finding)</source>
        <translation>下一处、上一处匹配（查找时）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>rename or delete a conversation (in the list)</source>
        <translation>重命名或删除对话（在列表中）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>context menu (tree and list)</source>
        <translation>右键菜单（树与列表）</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>Wheel, Shift+Wheel, drag</source>
        <translation>滚轮、Shift+滚轮、拖动</translation>
    </message>
    <message>
        <location filename="app/shell/key_lines.py"/>
        <source>tree: zoom, move</source>
        <translation>树：缩放、移动</translation>
    </message>
    <message>
        <location filename="app/shell/linking.py"/>
        <source>That message is not in the cache: it has not run yet, or was evicted.</source>
        <translation>该消息不在缓存中：尚未运行，或已被驱逐。</translation>
    </message>
    <message>
        <location filename="app/shell/linking.py"/>
        <source>Those tokens belong to no message of a conversation.</source>
        <translation>这些 token 不属于任何对话的消息。</translation>
    </message>
    <message>
        <location filename="app/shell/opening.py"/>
        <source>Choose a model folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Fewer bits take less memory and answer faster, but change the answers slightly. Only mixture-of-experts models have routed experts: those that do not fit the memory given here are read from the files when needed.</source>
        <translation>位数越少，占用内存越少、回答越快，但回答会略有不同。只有混合专家模型才有路由专家：此处给定的内存放不下的专家会在需要时从文件读取。</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>As stored in the files</source>
        <translation>与文件中存储的一致</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>8 bits (int8)</source>
        <translation>8 位 (int8)</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>4 bits (int4)</source>
        <translation>4 位 (int4)</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Weights and experts</source>
        <translation>权重与专家</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Format of weights</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Memory for routed experts</source>
        <translation>路由专家的内存</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Which format suits this machine</source>
        <translation>哪种格式适合本机</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Reload model</source>
        <translation>重新加载模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Use for next model</source>
        <translation>用于下一个模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>No model was opened yet</source>
        <translation>还没有打开过模型</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source>Choose</source>
        <translation>请选择</translation>
    </message>
    <message>
        <location filename="app/shell/opening_dialog.py"/>
        <source> in {place}</source>
        <translation>，位于 {place}</translation>
    </message>
    <message>
        <location filename="app/shell/recent_menu.py"/>
        <source>This model is open.</source>
        <translation>该模型已打开。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_menu.py"/>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>This folder is no longer there.</source>
        <translation>该文件夹已不存在。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>This is no longer a folder.</source>
        <translation>它已不再是文件夹。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>There is no config.json in this folder any more.</source>
        <translation>该文件夹中已没有 config.json。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>This folder cannot be read ({strerror}).</source>
        <translation>无法读取该文件夹（{strerror}）。</translation>
    </message>
    <message>
        <location filename="app/shell/recent_models.py"/>
        <source>unknown error</source>
        <translation>未知错误</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>No model open</source>
        <translation>未打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>Opening {name}: {stage}{share}</source>
        <translation>正在打开 {name}：{stage}{share}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{weights} weights, {dtype}</source>
        <translation>{weights} 权重，{dtype}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>context {used} of {window} ({share:.0%})</source>
        <translation>上下文 {used} / {window}（{share:.0%}）</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{name} · {numbers} on {device}{kernels}</source>
        <translation>{name} · {numbers}，{device}{kernels}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{parameters} parameters in {weight_bytes}, {numbers} on {device}</source>
        <translation>{parameters} 个参数，占 {weight_bytes}，{numbers}，运行于 {device}</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{layers} layers: {linear_layers} linear, {full_layers} attention</source>
        <translation>{layers} 层：{linear_layers} 层线性，{full_layers} 层注意力</translation>
    </message>
    <message>
        <location filename="app/shell/status_text.py"/>
        <source>{kv_bytes_per_token} of KV per token, {checkpoint_bytes} per checkpoint</source>
        <translation>每个 token 的 KV 占 {kv_bytes_per_token}，每个检查点占 {checkpoint_bytes}</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>Opening the model</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/traces.py"/>
        <source>Traces (*.jsonl *.jsonl.gz);;All files (*)</source>
        <translation>轨迹 (*.jsonl *.jsonl.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <location filename="app/shell/traces.py"/>
        <source>Open trace</source>
        <translation>打开轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/traces.py"/>
        <source>Reading the trace was cancelled.</source>
        <translation>已取消读取轨迹。</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Reads these messages into the cache while no answer runs: a conversation that begins with them then answers sooner.</source>
        <translation>在没有回答运行时将这些消息读入缓存：以它们开头的对话随后会更快得到回答。</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Warm a prompt</source>
        <translation>预热提示词</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Messages of the prompt</source>
        <translation>提示词的消息</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>What came of it</source>
        <translation>结果</translation>
    </message>
    <message>
        <location filename="app/shell/warm_dialog.py"/>
        <source>Warm</source>
        <translation>预热</translation>
    </message>
    <message>
        <location filename="app/shell/window.py"/>
        <source>Conversation deleted. Ctrl+Shift+T restores it.</source>
        <translation>对话已删除，按 Ctrl+Shift+T 可恢复。</translation>
    </message>
    <message>
        <location filename="app/shell/window.py"/>
        <source>{sentence} Esc stops it.</source>
        <translation>{sentence}按 Esc 停止。</translation>
    </message>
    <message>
        <location filename="app/show_log.py"/>
        <source>The log is {path}; no program on this desktop opens it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/export.py"/>
        <source>*(not complete)*</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/export.py"/>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>{where} has no list of messages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>message {at} of {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>{where} ends with a message that it does not have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>{where} is no JSON object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>{where} has no {missing}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>message {at} of {where} follows one that is not before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>message {at} of {where} has the id of another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/import_own.py"/>
        <source>{where} is bad: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>it is no export of Biplane, ChatGPT or Open WebUI.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>it has no conversation with a message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>it is no JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>it was exported by a newer version of Biplane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>it has no list of conversations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>the archive is damaged or locked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>it is larger than {most_bytes:,} MiB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>there is no conversations.json in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>{name} cannot be imported: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/importing.py"/>
        <source>its conversations are larger than {most_bytes:,} MiB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>This build of SQLite has no full-text index, so searching reads every message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>nothing of it could be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>Your conversations were damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>Your conversations were saved by a newer version of Biplane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>{what}: {found}, and the file is kept as {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>Another Biplane window has your conversations open; those of this window are not kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>{saved:,} rows of it could be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/opening.py"/>
        <source>Conversations cannot be saved in {folder} ({reason}); new ones are lost when the window closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/reader.py"/>
        <source>The conversations cannot be searched ({error}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/reader.py"/>
        <source>This part of the conversations cannot be read ({error}); the next start saves what is readable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/schema.py"/>
        <source>The conversations were saved by a newer version of Biplane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/searcher.py"/>
        <source>The conversations cannot be searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/store/writer.py"/>
        <source>Conversations cannot be saved now ({error}); Biplane keeps trying.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/uncaught.py"/>
        <source>An unexpected error occurred ({name}); Help &gt; Show log has the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/version.py"/>
        <source>from source</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/words/context_words.py"/>
        <source>{count} messages</source>
        <translation><numerusform>{count} 条消息</numerusform></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>The context is full. Nothing said so far is left out, but there is no room for another answer: shorten an earlier message, or continue in a new conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>the first one is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>The first message was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{amount} of {window} tokens of context are left. An answer stops where they end, and a longer message is refused; nothing said before is ever left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{tokens} tokens; the context has room for {window}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>With this message the prompt has {figures}. It cannot be sent like this: shorten it, or continue in a new conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>The answer stopped because the context of {window} tokens is full. Nothing said so far is left out, but there is no room for more: continue in a new conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>Keep the last {messages}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>A new conversation with the last {last} and what is in the composer; {out} left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{first} left out here, and can be read in “{title}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>does not fit: {tokens} of at most {window} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{used} of {window} tokens of context used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{left} left; an answer takes at most {left2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>About {left}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>Only {left}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>This message is too long: it makes a prompt of {figures}. Shorten it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>the first {left_out} are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>The first {count} messages were</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{warm} warm: the next prompt reuses them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/context_words.py"/>
        <source>{used} cold: the next prompt has to run them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>Asking what the repository holds…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>Downloaded, every file verified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{size} a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{hours} h {minutes} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{amount} · checking what is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{amount} · waiting for the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>Paused at {amount}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>Stopped at {amount}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{time} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{count} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/download_words.py"/>
        <source>{count} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>a prompt with the same cuts resumes from it bit for bit like a cold run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>resuming from it differs from a cold run by rounding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>This is normal: a straight chat forks here at every turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>taken while reading a prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>taken while writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>taken where a conversation forked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>before the last restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>none (tombstone)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>An audit found this state to be wrong, so nothing resumes from it any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>not yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>verified: no difference from a cold run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>The checkpoint was verified: no difference from a cold run was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>, locked by the running request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>No evictions yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>at {position}, {provenance}{point}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>The checkpoint was {taken}: {by_bits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>{stored}, error {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>{status}: {largest} off, KL {kl:.2g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>the next token's probabilities move by at most {kl} (KL {kl2:.2g})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>The checkpoint was wrong, up to {off} away from a cold run, and is no longer used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>tombstone: no checkpoint on any tier, so nothing can resume here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>writing, at {position}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Location</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="app/words/explain.py"/>
        <source>{count} times</source>
        <translation><numerusform>{count} 次</numerusform></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Last used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Node {tier_words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Node {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>This state, or one that it was computed from, was stored as {stored}: resuming from it differs from a cold run by the error of that format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>This state was computed from one that an audit found {error} away from a cold run's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>tokens {start} to {end} ({tokens})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>checkpoint {bytes}, {provenance}{point}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>replaying, at {position} of {matched}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>reading, at {position} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source> · {evicted} evicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source> in slot {slot}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>Resumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>{error} off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>The checkpoint was verified: state, keys, values and scores are within {off} of a cold run's, and {moved}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>The audit is inconclusive: the checkpoint is up to {off} away from a cold run, which rounding alone can cause with this model, and {moved}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>The checkpoint drifted: it is up to {off} away from a cold run, more than rounding explains, but {moved}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>used {used}, matched {times}{locked}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>stored {tier_words}{locked}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>checkpoints found wrong: {quarantined}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>checkpoints skipped: {skipped_checkpoints}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>KV {kv_lock}, state {state_lock}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/explain.py"/>
        <source>kept for: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/fork_words.py"/>
        <source>warm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/fork_words.py"/>
        <source>cold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/fork_words.py"/>
        <source>{reused} of {total} tokens are in the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/fork_words.py"/>
        <source>{name}: {cached}, about {wait} to the first token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>less than 0.1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>{amount} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>{whole} min {whole2} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>{value:,.0f} days ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>about {value:.1f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>about {seconds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>{value:.0f} s ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>{value:.0f} min ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/format.py"/>
        <source>{value:.0f} h ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/kernel_words.py"/>
        <source>PyTorch's operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/kernel_words.py"/>
        <source>Triton and FLA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/kernel_words.py"/>
        <source>Runs on kernels compiled for this processor ({kernels}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/kernel_words.py"/>
        <source>Runs on {operators}; no compiled kernels are in use, so answers take longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/kernel_words.py"/>
        <source>Runs on the GPU's kernels of {gpu}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>the weights as stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>“biplane bench quick” measures in two minutes which format suits this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>Choose int8: it answers {eight:.1f} times as fast as the stored weights, in {int8} of their memory, and predicts nearly the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>{head}; if speed matters most choose int4, {more:.1f} times as fast again, but with answers that differ more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>{parameters:,.0f} million parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>Choose {names}: nothing measured answers faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>Keep the weights as stored: in fewer bits answers would be no faster here, and int8 is for saving memory ({int8} of it).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>Choose int4 if speed matters most ({four:.1f} times the stored weights', with more changed answers); else keep them as stored, because int8 is no faster here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>{head}; int4 is no faster here and predicts less alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>{head}; int4 is {more:.1f} times as fast again, but predicts less alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/machine_words.py"/>
        <source>Measured on {date} with {size}: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_problems.py"/>
        <source> and {names:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_problems.py"/>
        <source>Missing files: {missing_files}; download them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_problems.py"/>
        <source>Missing tensors ({missing:,}): {missing2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_problems.py"/>
        <source>{wrong:,} more tensors cannot be loaded as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>This conversation is with {name}, and {other} is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>This conversation is with {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>How long opening it takes is not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>Your message waits until you choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>Open {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>Go on with {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>Opening it takes {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>its {tokens} are expected back from the cache on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>its {tokens} have to be read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/model_words.py"/>
        <source>its {tokens} have to be read again, {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>No model is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>An earlier moment is on screen: go to the newest one to change the cache.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>This is a trace file: nothing in it can be changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>The running answer reads it: wait until it is finished, or stop it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>There is no state here: make a checkpoint first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Checkpoint here…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Warm this prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Copies this prefix and its state up to the device, so that the next prompt need not wait for it. May evict what is used less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>There is no host memory tier: give the cache some in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Move to host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>There is no state on the device here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source> Nothing goes on from here, so its KV goes, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Drop state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Evict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>It is pinned: unpin it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Lets this state and its path be evicted like any other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>An audit found this state wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Runs {ran} from {start} while no answer runs, and takes one state slot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>There is a state here already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>It has a copy: warm it instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Stores the state after a token of this node that you choose. At the last one: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>No other tier has a state of it that the device lacks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>It or a node below it is pinned: unpin that first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Keeps {tokens} and the state at their end in memory until you unpin them. Pins may hold half of the memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>the state at {above}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Copies the state{size} and the KV below it to host memory and frees its slot on the device. Using it again costs a copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Frees the state's slot and leaves a tombstone: a prompt that comes back here runs {tokens} again.{goes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_actions.py"/>
        <source>Removes {nodes}, this one and all below it, from every tier: {size}. Cannot be undone, only computed again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_link.py"/>
        <source>This is not a link to a cached node: copy one from a node's details or its menu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_link.py"/>
        <source>Tokens {start:,} to {end:,} of that chat are not in the cache at this moment: they were evicted, or have not been read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_link.py"/>
        <source>Went to tokens {start:,} to {end:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/node_link.py"/>
        <source>Went to the node at token {start:,}, which begins alike; the link's ended at token {end:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/prompt_text.py"/>
        <source>A line “system:”, “user:” or “assistant:” begins a message, which follows on that line or below it. Text before the first of these lines is a user message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/prompt_text.py"/>
        <source>There is nothing to warm: write at least one message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/prompt_text.py"/>
        <source>A system message alone is no prompt: add a user message, of one word if need be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/prompt_text.py"/>
        <source>The {role} message in line {line:,} is empty: write its text, or remove the line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/prompt_text.py"/>
        <source>The system message in line {line:,} must be the first message: move it up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>\n stands for a line break, \t for a tab, \\ for a backslash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Changes apply from the next message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>The cost is shown once the answer is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Higher is more varied; 0 always takes the likeliest token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Keeps the likeliest tokens up to this probability; 1 keeps all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Keeps this many of the likeliest tokens; 0 keeps all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Drops tokens below this share of the likeliest one's probability.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Repetition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Above 1, tokens that were seen become less likely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Presence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Above 0, tokens of the answer so far become less likely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Max tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Longest answer, in tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>The same seed gives the same answer; empty takes a random one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Stop at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Ends the answer before any of these texts, one on each line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Reset to {value} ({source})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>{about}
Default: {value} ({source}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>a system text is not applied yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Applying it re-reads {tokens}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source> instead of {now}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>, about {predicted_seconds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/settings_words.py"/>
        <source>Settings: {names} changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>while writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>where a conversation forked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>reused {reused}{dot}replayed {replayed}{dot}new {computed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>from host memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>from disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>lookup {lookup_ms:.1f} ms{dot}restore {restore_ms:.1f} ms{dot}replay {replay_ms:,.0f} ms{dot}prefill {prefill_ms:,.0f} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>{tokens} in {total_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>first token {first_token_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>Resumed at {reused} from a state taken {words}: a cold run may differ by rounding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>An audit had checked the state it resumed from. {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="app/words/stats_line.py"/>
        <source>{skipped} skipped: every state slot was in use</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
