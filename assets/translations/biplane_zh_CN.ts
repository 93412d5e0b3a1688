<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Biplane</name>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>No longer in the cache.</source>
        <translation>已不在缓存中。</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: show all, follow the newest, tidy up</source>
        <translation>树：显示全部、跟随最新、整理</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: zoom, move, scroll</source>
        <translation>树：缩放、移动、滚动</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: parent, child, siblings</source>
        <translation>树：父节点、子节点、兄弟节点</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: previous and next checkpoint</source>
        <translation>树：上一个、下一个检查点</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: this chat alone, fold or unfold</source>
        <translation>树：仅此对话、折叠或展开</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: open a chip or show a node in the chat, pin the card</source>
        <translation>树：展开折叠项或在聊天中显示节点、固定卡片</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>tree: messages, tokens, memory, topology</source>
        <translation>树：消息、token、内存、拓扑</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>Close this card</source>
        <translation>关闭此卡片</translation>
    </message>
    <message>
        <location filename="app/cache/canvas.py"/>
        <source>Tree of cached prefixes</source>
        <translation>缓存前缀树</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Copy text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Warm a prompt…</source>
        <translation>预热提示词…</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Checkpoint here</source>
        <translation>在此建立检查点</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Token position of the checkpoint</source>
        <translation>检查点的 token 位置</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>After token</source>
        <translation>在此 token 之后</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Close details</source>
        <translation>关闭详情</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>{node_title}: from {first} to {last}</source>
        <translation>{node_title}：从 {first} 到 {last}</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Evict</source>
        <translation>驱逐</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Show in chat</source>
        <translation>在聊天中显示</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Verify checkpoint</source>
        <translation>验证检查点</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="app/cache/checkpoint_dialog.py"/>
        <source>Evict {node_title}?</source>
        <translation>驱逐{node_title}？</translation>
    </message>
    <message>
        <location filename="app/cache/controller.py"/>
        <source>Record trace</source>
        <translation>记录轨迹</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Text of the node</source>
        <translation>节点文本</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Run the tokens of this checkpoint cold and compare</source>
        <translation>冷运行此检查点的 token 并比较</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>{title}
Go to the message at the end of this node</source>
        <translation>{title}
转到此节点末尾的消息</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>Go to the message in {title}</source>
        <translation>转到 {title} 中的消息</translation>
    </message>
    <message>
        <location filename="app/cache/drawer.py"/>
        <source>and {rest} more</source>
        <translation>以及另外 {rest} 个</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>Counters of the engine over two minutes</source>
        <translation>两分钟内引擎的计数器</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>2 min ago</source>
        <translation>2 分钟前</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>What the engine tells of its cache</source>
        <translation>引擎透露的缓存情况</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>Show the tree</source>
        <translation>显示树</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>Show the engine's tree in the debugger</source>
        <translation>在调试器中显示引擎的树</translation>
    </message>
    <message>
        <location filename="app/cache/elsewhere_page.py"/>
        <source>WHAT {program} TELLS</source>
        <translation>{program} 告知的内容</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Show in tree</source>
        <translation>在树中显示</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Go to the tree with this node selected (Enter)</source>
        <translation>转到树并选中此节点 (Enter)</translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_lines.py"/>
        <source>{count} events</source>
        <translation><numerusform>{count} 个事件</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>What the engine had to say</source>
        <translation>引擎给出的信息</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Evicted, with no copy to resume from on any tier</source>
        <translation>已驱逐，任何层级都没有可供恢复的副本</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Moved down</source>
        <translation>下移</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Evicted, but still in host memory or on disk</source>
        <translation>已驱逐，但仍在主机内存或磁盘上</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Left a tier, but a copy remains on the same or a faster one</source>
        <translation>离开了某一层级，但同级或更快的层级仍有副本</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Filter events</source>
        <translation>筛选事件</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>No events yet.</source>
        <translation>还没有事件。</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Filter checkpoints</source>
        <translation>筛选检查点</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>No checkpoints yet.</source>
        <translation>还没有检查点。</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Filter evictions</source>
        <translation>筛选驱逐</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>No evictions yet.</source>
        <translation>还没有驱逐。</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Sums of events by kind and by cause</source>
        <translation>按种类和原因统计的事件</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Copy the selected lines (Ctrl+C)</source>
        <translation>复制所选行 (Ctrl+C)</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>{hint}. Press to show only these.</source>
        <translation>{hint}。按下则只显示这些。</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source> · {again} regretted</source>
        <translation> · 误驱逐 {again}</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>, {freed} freed</source>
        <translation>，释放 {freed}</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>, {again} of them regretted</source>
        <translation>，其中误驱逐 {again} 次</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>{table} of {all_of_them}</source>
        <translation>{table} / {all_of_them}</translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>{lines} copied.</source>
        <translation>已复制 {lines}。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_lines.py"/>
        <source>{count} lines</source>
        <translation><numerusform>{count} 行</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/event_lines.py"/>
        <source>Evicted {words}</source>
        <translation>驱逐：{words}</translation>
    </message>
    <message>
        <location filename="app/cache/event_view.py"/>
        <source>Events</source>
        <translation>事件</translation>
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
        <translation>关闭此窗口 (Esc)</translation>
    </message>
    <message>
        <location filename="app/cache/event_window.py"/>
        <source>Evicted from the device since the model was opened:
</source>
        <translation>自模型打开以来从设备驱逐：
</translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/event_window.py"/>
        <source>{count} more evictions are not listed individually</source>
        <translation><numerusform>另有 {count} 次驱逐未逐一列出</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/events.py"/>
        <source> Press Enter to show the tree.</source>
        <translation>按 Enter 显示树。</translation>
    </message>
    <message>
        <location filename="app/cache/events.py"/>
        <source>A notice belongs to no node.</source>
        <translation>通知不属于任何节点。</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Several nodes as one: a dashed box</source>
        <translation>多个节点合为一个：虚线框</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Just evicted, with no copy on any tier: hover to see why</source>
        <translation>刚被驱逐，任何层级都没有副本：悬停查看原因</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>moved down</source>
        <translation>下移</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Just evicted, but still in host memory or on disk</source>
        <translation>刚被驱逐，但仍在主机内存或磁盘上</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Just left a tier, but a copy remains on the same or a faster one</source>
        <translation>刚离开某一层级，但同级或更快的层级仍有副本</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Keys and values of a node and all that hangs on it: plain</source>
        <translation>一个节点及其下所有节点的键和值：纯色</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>states</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>States of a node and all that hangs on it: hatched</source>
        <translation>一个节点及其下所有节点的状态：斜线</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>its own</source>
        <translation>自身</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>What the node alone holds: along the lower edge</source>
        <translation>节点自身占用的部分：沿下边缘显示</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>small ones</source>
        <translation>小节点</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Nodes that are too small to be seen alone: dotted</source>
        <translation>太小而无法单独显示的节点：点状</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Legend of the tree</source>
        <translation>树的图例</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>Legend and filter of the marks</source>
        <translation>标记的图例与筛选</translation>
    </message>
    <message>
        <location filename="app/cache/legend.py"/>
        <source>{meaning}. Press to dim what is not so.</source>
        <translation>{meaning}。按下则淡化其余部分。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/legend.py"/>
        <source>{count} nodes</source>
        <translation><numerusform>{count} 个节点</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/logic/chats.py"/>
        <source>Conversation {session}</source>
        <translation>对话 {session}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/chats.py"/>
        <source>in {told}</source>
        <translation>属于 {told}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/chats.py"/>
        <source> and {rest} more</source>
        <translation>等另外 {rest} 个</translation>
    </message>
    <message>
        <location filename="app/cache/logic/counter_lines.py"/>
        <source>{count} per second</source>
        <translation>每秒 {count}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>KV + state</source>
        <translation>KV + 状态</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>replaced</source>
        <translation>已被替换</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>KV only</source>
        <translation>仅 KV</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>{sentence} It had last been used {span} before.</source>
        <translation>{sentence}距上次使用已有 {span}。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>{hours:.1f} h</source>
        <translation>{hours:.1f} 小时</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>{start} to {end}</source>
        <translation>{start} 至 {end}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Plane</source>
        <translation>平面</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Left</source>
        <translation>离开</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Why it was evicted</source>
        <translation>被驱逐的原因</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>The node's number on the device</source>
        <translation>节点在设备上的编号</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>The length of its span; of a state, the tokens before it</source>
        <translation>其区间的长度；对状态而言，是它之前的 token 数</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Bytes freed on the tier that it left</source>
        <translation>在其离开的层级上释放的字节数</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>The tier that it left</source>
        <translation>它离开的层级</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>What was evicted: keys and values, the state, or both</source>
        <translation>被驱逐的内容：键和值、状态，或两者</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Where a copy is left, if anywhere</source>
        <translation>如果还有副本，副本所在之处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Copy</source>
        <comment>what is left</comment>
        <translation>副本</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Age</source>
        <translation>存在时长</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>How long it had been stored, where that is known</source>
        <translation>已存储多久（若已知）</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>{minutes:.0f} min</source>
        <translation>{minutes:.0f} 分钟</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>Its span in the prompt; a state is the one at a position</source>
        <translation>它在提示词中的范围；状态则对应一个位置</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>When it happened</source>
        <translation>发生时间</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>The cause of an eviction, or a notice</source>
        <translation>驱逐的原因，或通知</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>The node's number on the device; nodes of other tiers have none</source>
        <translation>节点在设备上的编号；其他层级的节点没有编号</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_rows.py"/>
        <source>How it begins, where that is known; or the notice</source>
        <translation>它的开头（若已知），或通知内容</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>It is no longer in the tree, and neither is any node above it.</source>
        <translation>它已不在树中，其上的节点也都不在了。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>It left the cache of a model that is no longer open.</source>
        <translation>它离开的是一个已关闭模型的缓存。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>Node {id} is selected.</source>
        <translation>已选中节点 {id}。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>Its tokens are a part of {longer} now, which is selected.</source>
        <translation>它的 token 现属于{longer}，已选中后者。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>Its node is selected, which is {tier_words} now.</source>
        <translation>已选中它的节点，该节点现在{tier_words}。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>Node {id} is selected, which is a tombstone now.</source>
        <translation>已选中节点 {id}，它现在是墓碑。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>It is no longer in the tree. The nearest node above it is selected, up to token {end}.</source>
        <translation>它已不在树中，已选中其上最近的节点（到 token {end} 为止）。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>node {id}</source>
        <translation>节点 {id}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/event_table.py"/>
        <source>a node {tier_words}</source>
        <translation>{tier_words}的一个节点</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>to make room for keys and values</source>
        <translation>以便为键和值腾出空间</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>to make room for another state</source>
        <translation>以便为另一个状态腾出空间</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>to make room, as the first: only requests without history had used it</source>
        <translation>为了腾出空间，最先移除：只有不带历史的请求用过它</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because it was a tombstone that nothing came after any more</source>
        <translation>因为它是后面已无内容的墓碑</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because no checkpoint was stored after it</source>
        <translation>因为其后没有存储检查点</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because a better one replaced it</source>
        <translation>因为有更好的取代了它</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because its session was dropped</source>
        <translation>因为它的会话被丢弃</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because you cleared it</source>
        <translation>因为您清除了它</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because its conversation was deleted</source>
        <translation>因为它的对话已被删除</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because it was computed from a state that was found to be wrong</source>
        <translation>因为计算它所用的状态被发现有误</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because it was computed from a state that is less exact than claimed</source>
        <translation>因为计算它所用的状态不如声称的精确</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because an audit found its state to be wrong</source>
        <translation>因为审计发现它的状态有误</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>to make room on disk</source>
        <translation>以便在磁盘上腾出空间</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because its file was damaged</source>
        <translation>因为它的文件已损坏</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because its file was deleted</source>
        <translation>因为其文件已被删除</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because another process replaced its file</source>
        <translation>因为另一个进程替换了它的文件</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because the file that it continues is gone</source>
        <translation>因为它所接续的文件已不存在</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>because its file could not be written</source>
        <translation>因为它的文件无法写入</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>left the device</source>
        <translation>离开了设备</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>left host memory</source>
        <translation>离开了主机内存</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>left the disk</source>
        <translation>离开了磁盘</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>on the device</source>
        <translation>在设备上</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>in host memory</source>
        <translation>在主机内存中</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>on disk</source>
        <translation>在磁盘上</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>Tokens {start} to {end} and their state</source>
        <translation>Token {start} 至 {end} 及其状态</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>Keys and values of tokens {start} to {end}</source>
        <translation>Token {start} 至 {end} 的键和值</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>nothing was lost</source>
        <translation>没有丢失任何内容</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>the state is lost, but its keys and values are still in the tree</source>
        <translation>状态已丢失，但键和值仍在树中</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>no copy is left</source>
        <translation>没有剩余副本</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>it is still {place}</source>
        <translation>它仍{place}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>{what} {left} {why}; {rest}.</source>
        <translation>{what}{why}，{left}；{rest}。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>The state at token {end}</source>
        <translation>Token {end} 处的状态</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>a copy is {place}</source>
        <translation>{place}有副本</translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>and {evictions} here</source>
        <translation>另有{evictions}也在此处</translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/logic/fading.py"/>
        <source>{count} earlier evictions</source>
        <translation><numerusform>此前 {count} 次驱逐</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/logic/fading.py"/>
        <source>{freed} freed, {gone}</source>
        <translation>释放 {freed}，{gone}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>thinking</source>
        <translation>思考</translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/logic/folding.py"/>
        <source>{count} tokens</source>
        <translation><numerusform>{count} 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/cache/logic/folding.py"/>
        <source>{count} checkpoints</source>
        <translation><numerusform>{count} 个检查点</numerusform></translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>{what}
{held}
Double-click or press Enter to unfold</source>
        <translation>{what}
{held}
双击或按 Enter 展开</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>+{branches:,} branches</source>
        <translation>+{branches:,} 个分支</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>+{ids:,} nodes</source>
        <translation>+{ids:,} 个节点</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>{nodes} that only follow one another</source>
        <translation>{nodes}，只是首尾相接</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>{branches:,} branches of {nodes}</source>
        <translation>{branches:,} 个分支，共 {nodes}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>{title}
{nodes} that only this conversation uses</source>
        <translation>{title}
{nodes}，仅此对话使用</translation>
    </message>
    <message>
        <location filename="app/cache/logic/folding.py"/>
        <source>Normal: the template drops thinking from later prompts
{nodes}</source>
        <translation>正常现象：模板会从之后的提示词中去掉思考内容
{nodes}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Taken in</source>
        <translation>取自</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Held</source>
        <translation>占用</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept for</source>
        <translation>保留原因</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>on device</source>
        <translation>在设备上</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Keys and values are in device memory</source>
        <translation>键和值在设备内存中</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>host or disk</source>
        <translation>主机或磁盘</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Keys and values are loaded when needed: an outline</source>
        <translation>键和值在需要时加载：仅轮廓</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>in doubt</source>
        <translation>存疑</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>May be gone: the engine's events were lost, and it was not heard of since: dashed</source>
        <translation>可能已不存在：引擎的事件丢失过，此后再无消息：虚线</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>not told</source>
        <translation>未告知</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>The engine does not say whether it has a checkpoint: crossed hatching</source>
        <translation>引擎未说明此处是否有检查点：交叉阴影线</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>tombstone</source>
        <translation>墓碑</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Keys and values without a checkpoint on any tier: hatched</source>
        <translation>任何层级都没有检查点的键和值：斜线</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>A checkpoint in device memory: a diamond</source>
        <translation>设备内存中的检查点：菱形</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>on host</source>
        <translation>在主机上</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>A checkpoint in host memory: underlined once</source>
        <translation>主机内存中的检查点：单下划线</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>A checkpoint on disk: underlined twice</source>
        <translation>磁盘上的检查点：双下划线</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Taken while reading a prompt: a filled diamond</source>
        <translation>读取提示词时建立：实心菱形</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Taken while writing an answer: a hollow diamond</source>
        <translation>写回答时建立：空心菱形</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Taken where a conversation forked: a half-filled diamond</source>
        <translation>在对话分叉处建立：半实心菱形</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>compressed</source>
        <translation>已压缩</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Stored in fewer bits: a flat diamond</source>
        <translation>以较少位数存储：扁菱形</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>verified</source>
        <translation>已验证</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>An audit found no difference that matters: a tick</source>
        <translation>审计未发现有影响的差异：对勾</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>unclear</source>
        <translation>不确定</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>An audit could not tell: a question mark</source>
        <translation>审计无法判断：问号</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>drifted</source>
        <translation>已漂移</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>An audit found a harmless difference: a tilde</source>
        <translation>审计发现无害的差异：波浪号</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>quarantined</source>
        <translation>已隔离</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>An audit found it wrong, so nothing uses it: a cross</source>
        <translation>审计发现有误，不再使用：叉号</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Held by the running request: a line below, a ring</source>
        <translation>被运行中的请求占用：下方横线、圆环</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept until it is unpinned: a pin</source>
        <translation>保留到取消固定为止：图钉</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>The running request has come this far: an arrowhead</source>
        <translation>运行中的请求已到此处：箭头</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>system end</source>
        <translation>系统文本结束</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept at the end of the system text</source>
        <translation>保留于系统文本末尾</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>user start</source>
        <translation>用户消息开始</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept where a user message starts</source>
        <translation>保留于用户消息开始处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>before thinking</source>
        <translation>思考之前</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept where thinking is cut off</source>
        <translation>保留于思考内容被截去处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>answer start</source>
        <translation>回答开始</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept where an answer starts</source>
        <translation>保留于回答开始处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept at a tool call</source>
        <translation>保留于工具调用处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>interval</source>
        <translation>间隔</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept after so many tokens</source>
        <translation>每隔若干 token 保留</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>branch point</source>
        <translation>分支点</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept where two conversations part</source>
        <translation>保留于两个对话分开处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>end of prompt</source>
        <translation>提示词结束</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept at the end of a prompt</source>
        <translation>保留于提示词末尾</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>end of answer</source>
        <translation>回答结束</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept at the end of an answer</source>
        <translation>保留于回答末尾</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept where a request was stopped</source>
        <translation>保留于请求停止处</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>asked for</source>
        <translation>按要求</translation>
    </message>
    <message>
        <location filename="app/cache/logic/mark_table.py"/>
        <source>Kept because you asked for it</source>
        <translation>应您的要求保留</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>No tokens routed yet.</source>
        <translation>还没有 token 经过路由。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>KV plane</source>
        <translation>KV 平面</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>State plane</source>
        <translation>状态平面</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Drafts</source>
        <translation>草稿 token</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Experts in memory</source>
        <translation>内存中的专家</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Unused budget</source>
        <translation>未用预算</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Of {asked} expert lookups, {hits} ({share:.1%}) found the expert in memory; the rest read it from the files.</source>
        <translation>{asked} 次专家查找中有 {hits} 次（{share:.1%}）在内存中找到，其余从文件读取。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{used} of {total}</source>
        <translation>{used} / {total}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{label}
{bytes} ({bytes2} bytes)</source>
        <translation>{label}
{bytes}（{bytes2} 字节）</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{name} of the running request</source>
        <translation>运行中请求的 {name}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{name} cached, locked</source>
        <translation>{name}：已缓存，锁定</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{name} cached, evictable</source>
        <translation>{name}：已缓存，可驱逐</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{name} free</source>
        <translation>{name}：空闲</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Host tier</source>
        <translation>主机层</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{share:.0%} hits, </source>
        <translation>命中 {share:.0%}，</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{hits}{used} of {budget_bytes}</source>
        <translation>{hits}{used} / {budget_bytes}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{resident} of {total}</source>
        <translation>{resident} / {total}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>Disk tier</source>
        <translation>磁盘层</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{size} of these</source>
        <translation>其中 {size}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>all {total}</source>
        <translation>全部 {total}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>not in this recording</source>
        <translation>不在此记录中</translation>
    </message>
    <message>
        <location filename="app/cache/logic/planes.py"/>
        <source>{used_bytes} of {budget_bytes}</source>
        <translation>{used_bytes} / {budget_bytes}</translation>
    </message>
    <message>
        <location filename="app/cache/logic/search.py"/>
        <source>Text, #token id, @position or hash:1f3c</source>
        <translation>文本、#token id、@位置 或 hash:1f3c</translation>
    </message>
    <message>
        <location filename="app/cache/logic/search.py"/>
        <source>A hash begins with up to 16 digits from 0 to f, as in hash:1f3c.</source>
        <translation>哈希以最多 16 位 0 到 f 的数字开头，例如 hash:1f3c。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/search.py"/>
        <source>A position is a number, as in @4,096.</source>
        <translation>位置是一个数字，例如 @4,096。</translation>
    </message>
    <message>
        <location filename="app/cache/logic/search.py"/>
        <source>A token id is a number, as in #1234.</source>
        <translation>Token id 是一个数字，例如 #1234。</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>replayed</source>
        <translation>重放</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>not reported</source>
        <translation>未报告</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Keys, values and state were in the cache</source>
        <translation>键、值和状态都在缓存中</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Keys and values were in the cache; the state had to be rebuilt</source>
        <translation>键和值在缓存中，状态需要重建</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Not seen before: keys, values and state were computed</source>
        <translation>首次出现：键、值和状态均为新计算</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>The engine does not report whether these were reused</source>
        <translation>引擎未报告这些是否被复用</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Your last message: none yet</source>
        <translation>您的上一条消息：还没有</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Your last message: the engine does not say what it remembered</source>
        <translation>您的上一条消息：引擎未说明记住了多少</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>How much of the last prompt was reused</source>
        <translation>上一个提示词复用了多少</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Explain this request in the debugger</source>
        <translation>在调试器中解释此请求</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Why did the last prompt take this long?</source>
        <translation>上一个提示词为什么用了这么久？</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>{label}: {tokens}
positions {start} to {end}
{meaning}</source>
        <translation>{label}：{tokens}
位置 {start} 至 {end}
{meaning}</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Your last message: {known} of {total} tokens were remembered</source>
        <translation>您的上一条消息：{total} 个 token 中记住了 {known} 个</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Last message: {known} of {total} remembered</source>
        <translation>上一条消息：记住了 {known}/{total}</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>{known} of {total} remembered</source>
        <translation>记住了 {known}/{total}</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>No request in this conversation yet.</source>
        <translation>此对话还没有请求。</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Prompt of “{title}…”</source>
        <translation>“{title}…”的提示词</translation>
    </message>
    <message>
        <location filename="app/cache/match_view.py"/>
        <source>Prompt of “{title}”</source>
        <translation>“{title}”的提示词</translation>
    </message>
    <message>
        <location filename="app/cache/minimap.py"/>
        <source>Overview of the tree</source>
        <translation>树的概览</translation>
    </message>
    <message>
        <location filename="app/cache/minimap.py"/>
        <source>The whole tree: drag the frame to move the view</source>
        <translation>整棵树：拖动方框以移动视图</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Memory the model uses</source>
        <translation>模型占用的内存</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>What is remembered</source>
        <translation>记住的内容</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Hide figures</source>
        <translation>隐藏数据</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Show figures</source>
        <translation>显示数据</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>, shortened in the middle</source>
        <translation>，中间有省略</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>{start:,} to {end:,}</source>
        <translation>{start:,} 至 {end:,}</translation>
    </message>
    <message>
        <location filename="app/cache/pane.py"/>
        <source>Copied the text of tokens {span}{rest}.</source>
        <translation>已复制 token {span} 的文本{rest}。</translation>
    </message>
    <message>
        <location filename="app/cache/planes_view.py"/>
        <source>Nothing is being written to disk</source>
        <translation>当前没有内容写入磁盘</translation>
    </message>
    <message>
        <location filename="app/cache/planes_view.py"/>
        <source>Device memory by plane</source>
        <translation>按平面划分的设备内存</translation>
    </message>
    <message>
        <location filename="app/cache/planes_view.py"/>
        <source>Memory of routed experts</source>
        <translation>路由专家的内存</translation>
    </message>
    <message>
        <location filename="app/cache/strip.py"/>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>What you and the model say is remembered here, so that it need not be read again each time.</source>
        <translation>您和模型说的话会记在这里，不必每次重新读取。</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Two planes</source>
        <translation>两个平面</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Attention layers keep keys and values per token. Linear layers keep one state that fits exactly one position: a checkpoint, drawn as a diamond.</source>
        <translation>注意力层为每个 token 保存键和值。线性层只保存一个状态，恰好对应一个位置：检查点，画作菱形。</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Resuming</source>
        <translation>恢复</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>A prompt resumes from the last diamond on its path. Known tokens after it are replayed; the rest are new.</source>
        <translation>提示词从其路径上的最后一个菱形恢复。其后已知的 token 会重放，其余为新增。</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <location filename="app/cache/teaching.py"/>
        <source>Send a message, then edit it or regenerate the answer. The tree forks at the exact token.</source>
        <translation>发送一条消息，然后编辑它或重新生成回答。树会在对应的 token 处分叉。</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>Shaded: nothing ran, and the cache kept what it had.
No line: the cache was not watched.</source>
        <translation>阴影：没有任何运行，缓存保持不变。
无曲线：未观察缓存。</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>−{seconds} s</source>
        <translation>−{seconds} 秒</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>−{seconds} min</source>
        <translation>−{seconds} 分钟</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>MiB, KV and state</source>
        <translation>MiB，KV 与状态</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>Bytes of each plane over time</source>
        <translation>各平面字节数随时间的变化</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>tokens per second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <location filename="app/cache/timeline.py"/>
        <source>Tokens per second over time</source>
        <translation>每秒 token 数随时间的变化</translation>
    </message>
    <message>
        <location filename="app/cache/view_switch.py"/>
        <source>This chat in full, the others on a line each</source>
        <translation>完整显示此对话，其余各占一行</translation>
    </message>
    <message>
        <location filename="app/cache/view_switch.py"/>
        <source>View of the tree</source>
        <translation>树的视图</translation>
    </message>
    <message>
        <location filename="app/cache/view_switch.py"/>
        <source>This chat</source>
        <translation>此对话</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Each box is as wide as the bytes of all that hangs on it, KV and states</source>
        <translation>每个方框的宽度表示其下所有内容（KV 和状态）的字节数</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Who goes on from whom, whatever the positions: a tidy tree</source>
        <translation>谁接续谁（不论位置）：整齐的树</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Each message has room for its first words</source>
        <translation>每条消息都显示开头几个词</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>All tokens are equally wide</source>
        <translation>所有 token 等宽</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>running request</source>
        <translation>正在运行的请求</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>{nodes} · {leaves:,} ends</source>
        <translation>{nodes} · {leaves:,} 个末端</translation>
    </message>
    <message>
        <location filename="app/cache/views.py"/>
        <source>all {nodes}</source>
        <translation>全部 {nodes}</translation>
    </message>
    <message>
        <location filename="app/cache/warming.py"/>
        <source>Reads these messages into the cache while no answer runs: a conversation that begins with them then answers sooner.</source>
        <translation>在没有回答运行时将这些消息读入缓存：以它们开头的对话随后会更快得到回答。</translation>
    </message>
    <message>
        <location filename="app/cache/warming.py"/>
        <source>Warm a prompt</source>
        <translation>预热提示词</translation>
    </message>
    <message>
        <location filename="app/cache/warming.py"/>
        <source>Messages of the prompt</source>
        <translation>提示词的消息</translation>
    </message>
    <message>
        <location filename="app/cache/warming.py"/>
        <source>What came of it</source>
        <translation>结果</translation>
    </message>
    <message>
        <location filename="app/cache/warming.py"/>
        <source>Warm</source>
        <translation>预热</translation>
    </message>
    <message>
        <location filename="app/cache/warming.py"/>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="app/chat/action_row.py"/>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>The model's template leaves this reasoning out of the next prompt. The model will not see it again; the answer below it stays.</source>
        <translation>模型的模板会在下一个提示词中略去这段推理。模型不会再看到它，下面的回答会保留。</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Show or hide the reasoning</source>
        <translation>显示或隐藏推理过程</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Let the model go on where the answer ends</source>
        <translation>让模型从回答结尾处继续</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Continue the answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Open a real model…</source>
        <translation>打开真正的模型…</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Open a real model</source>
        <translation>打开真正的模型</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>This answer is from the small demo model; choose a real one</source>
        <translation>此回答来自小型演示模型；请选择真正的模型</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Reading the prompt</source>
        <translation>正在读取提示词</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Edit the answer</source>
        <translation>编辑回答</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Save as a new version</source>
        <translation>另存为新版本</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Edit as a new version</source>
        <translation>作为新版本编辑</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Why? Explain these figures</source>
        <translation>为什么？解释这些数字</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Show in cache</source>
        <translation>在缓存中显示</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Fork to a new conversation</source>
        <translation>分叉到新对话</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>See how</source>
        <translation>看看如何做到</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>An estimate, from how fast this model has read prompts</source>
        <translation>按此模型读取提示词的速度估算</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>edited by you</source>
        <translation>由您编辑</translation>
    </message>
    <message>
        <location filename="app/chat/answer_message.py"/>
        <source>Why was this read again?</source>
        <translation>为什么重新读取？</translation>
    </message>
    <message>
        <location filename="app/chat/attaching.py"/>
        <source>Attach text files</source>
        <translation>附加文本文件</translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/attaching.py"/>
        <source>{count} files</source>
        <translation><numerusform>{count} 个文件</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/attaching.py"/>
        <source>{count} other files</source>
        <translation><numerusform>另外 {count} 个文件</numerusform></translation>
    </message>
    <message>
        <location filename="app/chat/attaching.py"/>
        <source>{more} too many: a message may have at most {most_files}.</source>
        <translation>多出 {more}：一条消息最多可附 {most_files} 个。</translation>
    </message>
    <message>
        <location filename="app/chat/attaching.py"/>
        <source>{left} could not be attached.</source>
        <translation>{left}无法附加。</translation>
    </message>
    <message>
        <location filename="app/chat/body.py"/>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <location filename="app/chat/body.py"/>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <location filename="app/chat/body.py"/>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>An image cannot be sent: the models that Biplane runs read text alone.</source>
        <translation>无法发送图片：Biplane 运行的模型只能读取文本。</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Write a message</source>
        <translation>输入消息</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Think</source>
        <translation>思考</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Let the model think before it answers</source>
        <translation>让模型先思考再回答</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Send after this answer (Enter)</source>
        <translation>在此回答之后发送 (Enter)</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Send (Enter)</source>
        <translation>发送 (Enter)</translation>
    </message>
    <message>
        <location filename="app/chat/composer.py"/>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
    <message>
        <location filename="app/chat/drafts.py"/>
        <source>Conversation restored.</source>
        <translation>对话已恢复。</translation>
    </message>
    <message>
        <location filename="app/chat/file_chips.py"/>
        <source>. Press Delete to remove it</source>
        <translation>。按 Delete 移除</translation>
    </message>
    <message>
        <location filename="app/chat/file_chips.py"/>
        <source>Attached files</source>
        <translation>附加的文件</translation>
    </message>
    <message>
        <location filename="app/chat/file_chips.py"/>
        <source>Remove the file</source>
        <translation>移除文件</translation>
    </message>
    <message>
        <location filename="app/chat/file_chips.py"/>
        <source>File {name}, {figures}{cure}</source>
        <translation>文件 {name}，{figures}{cure}</translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>No matches</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Find in conversation</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Previous match</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>Next match</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <location filename="app/chat/find_bar.py"/>
        <source>{at:,} of {total:,}</source>
        <translation>{at:,} / {total:,}</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Chat with a model on this computer. What it has read once is reused, so that the next answer starts sooner.</source>
        <translation>与本机上的模型对话。读过的内容会被复用，因此下一个回答会更快开始。</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>My name is Ada and my lucky number is 27.</source>
        <translation>My name is Ada and my lucky number is 27.（自我介绍）</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>How does the cache work?</source>
        <translation>How does the cache work?（缓存是如何工作的？）</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Tell me a joke.</source>
        <translation>Tell me a joke.（讲个笑话。）</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Explain in three sentences why the sky is blue.</source>
        <translation>用三句话解释天空为什么是蓝色的。</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Write a haiku about an old biplane.</source>
        <translation>写一首关于老式双翼机的俳句。</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Give me three ideas for a quick dinner.</source>
        <translation>给我三个快手晚餐的点子。</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Ask something</source>
        <translation>问点什么</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Get a real one</source>
        <translation>获取真正的模型</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>This is a small demo model.</source>
        <translation>这是一个小型演示模型。</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Send this</source>
        <translation>发送这句话</translation>
    </message>
    <message>
        <location filename="app/chat/first_page.py"/>
        <source>Show the model {name}</source>
        <translation>显示模型 {name}</translation>
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
        <translation>第 {at} 个版本，共 {count} 个</translation>
    </message>
    <message>
        <location filename="app/chat/logic/markdown_rewrites.py"/>
        <source>image</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="app/chat/logic/pasted.py"/>
        <source>more, not shown</source>
        <translation>还有更多，未显示</translation>
    </message>
    <message>
        <location filename="app/chat/logic/pasted.py"/>
        <source>{lines}, not shown</source>
        <translation>{lines}，未显示</translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/logic/pasted.py"/>
        <source>{count} more lines</source>
        <translation><numerusform>另有 {count} 行</numerusform></translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Not complete: Biplane ended while this was written</source>
        <translation>不完整：写到一半时 Biplane 已结束</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Stopped because the context is full</source>
        <translation>因上下文已满而停止</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Cut at the length limit</source>
        <translation>达到长度上限而截断</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Thought for {figures}{mark}</source>
        <translation>思考了 {figures}{mark}</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>will reuse {reused} of {total} tokens</source>
        <translation>将复用 {total} 个 token 中的 {reused} 个</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>, {predicted_seconds} to the first token</source>
        <translation>，首个 token 需 {predicted_seconds}</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Waiting for the model</source>
        <translation>等待模型</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Thinking… {figures}</source>
        <translation>思考中… {figures}</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>{dot}not sent again</source>
        <translation>{dot}不再发送</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>{reused} of {tokens} come from the cache</source>
        <translation>{tokens} 中有 {reused} 个来自缓存</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>{computed} are new</source>
        <translation>{computed} 个为新增</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Waiting for {answers} ahead</source>
        <translation>前面还有 {answers}，等待中</translation>
    </message>
    <message numerus="yes">
        <location filename="app/chat/logic/turn_words.py"/>
        <source>{count} answers</source>
        <translation><numerusform>{count} 个回答</numerusform></translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>Reading prompt {done} of {total}</source>
        <translation>正在读取提示词 {done} / {total}</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>less than 1 s</source>
        <translation>不到 1 秒</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>{replayed} known ones are replayed</source>
        <translation>{replayed} 个已知的将重放</translation>
    </message>
    <message>
        <location filename="app/chat/logic/turn_words.py"/>
        <source>{dot}{left} left</source>
        <translation>{dot}剩余 {left}</translation>
    </message>
    <message>
        <location filename="app/chat/message_editor.py"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Write the next message; it is sent after this answer</source>
        <translation>输入下一条消息，将在此回答之后发送</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Write a message; it is sent once the model is loaded</source>
        <translation>输入消息，模型加载后即发送</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Continue with the last messages</source>
        <translation>带着最后几条消息继续</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>New conversation</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Continue there with what is in the composer</source>
        <translation>带着输入框中的内容到那里继续</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>This conversation</source>
        <translation>此对话</translation>
    </message>
    <message>
        <location filename="app/chat/pane.py"/>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="app/chat/prose.py"/>
        <source>Message text</source>
        <translation>消息文本</translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Edit this message</source>
        <translation>编辑此消息</translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Remove this message</source>
        <translation>移除此消息</translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Send now</source>
        <translation>立即发送</translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Messages that are sent next</source>
        <translation>接下来发送的消息</translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Next</source>
        <translation>接下来</translation>
    </message>
    <message>
        <location filename="app/chat/queue_view.py"/>
        <source>Then</source>
        <translation>然后</translation>
    </message>
    <message>
        <location filename="app/chat/turn_widgets.py"/>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Your message</source>
        <translation>您的消息</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Edit your message</source>
        <translation>编辑您的消息</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Edit and send as a new version</source>
        <translation>编辑并作为新版本发送</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <location filename="app/chat/user_message.py"/>
        <source>Show all {lines} lines</source>
        <translation>显示全部 {lines} 行</translation>
    </message>
    <message>
        <location filename="app/chat/view.py"/>
        <source>New text below</source>
        <translation>下方有新文本</translation>
    </message>
    <message>
        <location filename="app/chat/view.py"/>
        <source>Go to the end of the conversation</source>
        <translation>转到对话末尾</translation>
    </message>
    <message>
        <location filename="app/chat/view.py"/>
        <source>Jump to the end</source>
        <translation>跳到末尾</translation>
    </message>
    <message>
        <location filename="app/conversations/controller.py"/>
        <source>Evict what only this conversation used from memory and from the cache's files. Its messages stay; its next answer takes longer then.</source>
        <translation>将仅由此对话使用的内容从内存和缓存文件中驱逐。消息会保留；之后的下一个回答会更慢。</translation>
    </message>
    <message>
        <location filename="app/conversations/controller.py"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="app/conversations/controller.py"/>
        <source>Deleted “{title}”</source>
        <translation>已删除“{title}”</translation>
    </message>
    <message>
        <location filename="app/conversations/controller.py"/>
        <source>Evict its cache</source>
        <translation>驱逐其缓存</translation>
    </message>
    <message>
        <location filename="app/conversations/logic/steps.py"/>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <location filename="app/conversations/logic/steps.py"/>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <location filename="app/conversations/logic/steps.py"/>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <location filename="app/conversations/logic/steps.py"/>
        <source>Some day</source>
        <translation>某一天</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Search titles and messages</source>
        <translation>搜索标题和消息</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>CONVERSATIONS</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/conversations/panel.py"/>
        <source>answering</source>
        <translation>正在回答</translation>
    </message>
    <message>
        <location filename="app/conversations/results_model.py"/>
        <source>message</source>
        <translation>消息</translation>
    </message>
    <message>
        <location filename="app/conversations/results_model.py"/>
        <source>conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <location filename="app/conversations/results_model.py"/>
        <source>{what}, {day}: {text}</source>
        <translation>{what}，{day}：{text}</translation>
    </message>
    <message>
        <location filename="app/core/bridge.py"/>
        <source>An answer is being written. Wait for its end, or stop it, to open the model again with other settings.</source>
        <translation>正在写回答。请等它结束或停止它，再用其他设置重新打开模型。</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>The model cannot be opened with the settings that What if applied earlier; it is opened with those of the start.</source>
        <translation>无法按之前在“假设分析”中应用的设置打开模型，改用启动时的设置打开。</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>Opening the other model was cancelled before this was answered.</source>
        <translation>在回答之前，打开另一个模型的操作已被取消。</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>The model was closed before it answered.</source>
        <translation>模型在回答之前已关闭。</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>checking the folder</source>
        <translation>正在检查文件夹</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>The engine stopped before the model was open.</source>
        <translation>引擎在模型打开之前停止了。</translation>
    </message>
    <message>
        <location filename="app/core/changeover.py"/>
        <source>waiting for the answer to finish</source>
        <translation>等待回答完成</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Graphics driver</source>
        <translation>显卡驱动</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Everything that Biplane keeps can be written.</source>
        <translation>Biplane 保存的所有内容都可以写入。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>No NVIDIA driver is loaded: models run on the processor.</source>
        <translation>没有加载 NVIDIA 驱动：模型在处理器上运行。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{free} of {total} are free</source>
        <translation>{total} 中有 {free} 可用</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Close other programs, and open the model again.</source>
        <translation>请关闭其他程序，然后重新打开模型。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>View &gt; Models shows which ones fit.</source>
        <translation>“视图 &gt; 模型”显示哪些模型合适。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{free} are free where {what} are kept</source>
        <translation>存放{what}之处有 {free} 可用</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Make room: what is written next may be lost.</source>
        <translation>请腾出空间：接下来写入的内容可能会丢失。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Settings &gt; Data shows what can be deleted.</source>
        <translation>“设置 &gt; 数据”显示可以删除什么。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Make the folder yours, or make room on its disk, and start Biplane again.</source>
        <translation>请取得该文件夹的权限，或在其磁盘上腾出空间，然后重新启动 Biplane。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Small models are the ones to take.</source>
        <translation>适合使用小模型。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>An NVIDIA driver is loaded, but its version cannot be read.</source>
        <translation>已加载 NVIDIA 驱动，但无法读取其版本。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Models run on the processor.</source>
        <translation>模型在处理器上运行。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>The NVIDIA driver {version} is new enough for CUDA 13.</source>
        <translation>NVIDIA 驱动 {version} 足以支持 CUDA 13。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>it cannot be created</source>
        <translation>无法创建</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{name} can run the kernels.</source>
        <translation>{name} 可以运行计算内核。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{path} is no folder</source>
        <translation>{path} 不是文件夹</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Only {free}: too little even for the bundled model.</source>
        <translation>仅{free}：连自带模型也不够。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{free}: enough for small models only.</source>
        <translation>{free}：只够小模型使用。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Only {said}.</source>
        <translation>仅{said}。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{said}: little for models and cache files.</source>
        <translation>{said}：存放模型和缓存文件有些少。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{folder} cannot be written ({reason}), so {what} are not kept.</source>
        <translation>{folder} 无法写入（{reason}），因此不会保存{what}。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>{name} lacks AVX2: everything works, but several times slower.</source>
        <translation>{name} 不支持 AVX2：一切可用，但会慢数倍。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>The NVIDIA driver {version} is too old for CUDA 13.</source>
        <translation>NVIDIA 驱动 {version} 对 CUDA 13 来说太旧。</translation>
    </message>
    <message>
        <location filename="app/core/checks/machine.py"/>
        <source>Models run on the processor. Install driver {least} or newer to use the card.</source>
        <translation>模型在处理器上运行。要使用显卡，请安装 {least} 或更新的驱动。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Install Biplane again; if that does not help, copy this report and show it.</source>
        <translation>请重新安装 Biplane；如果无济于事，请复制此报告并反馈。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The server answers.</source>
        <translation>服务器有应答。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>A window opens, asks and shows the answer.</source>
        <translation>窗口可以打开、提问并显示回答。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Comparing the kernels with their references</source>
        <translation>正在将计算内核与其参考实现比较</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Opening the bundled model</source>
        <translation>正在打开自带模型</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Opening a window that nobody sees</source>
        <translation>正在打开一个不可见的窗口</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Kernels</source>
        <translation>计算内核</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>{count} operations agree with their references ({kernels}).</source>
        <translation>{count} 项运算与其参考实现一致（{kernels}）。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Logits differ by at most {largest}, and all {tokens} tokens are as stored.</source>
        <translation>logits 相差至多 {largest}，全部 {tokens} 个 token 与存储的一致。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>{count} conversations give the same cached as cold.</source>
        <translation>{count} 段对话使用缓存与冷运行的结果相同。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The server sent an empty answer.</source>
        <translation>服务器返回了空的回答。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Comparing what it says with what it is known to say</source>
        <translation>正在将其输出与已知输出比较</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Comparing cached with cold runs</source>
        <translation>正在比较缓存运行与冷运行</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Asking through the server</source>
        <translation>正在通过服务器提问</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The stored logits cannot be read.</source>
        <translation>无法读取存储的 logits。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The server does not answer.</source>
        <translation>服务器没有应答。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The window opened, but showed nothing.</source>
        <translation>窗口打开了，但什么也没有显示。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Bundled model</source>
        <translation>自带模型</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>{name} opens in {seconds}.</source>
        <translation>{name} 在 {seconds} 内打开。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The check itself failed ({name}); see the log.</source>
        <translation>检查本身失败（{name}）；请查看日志。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>{what} is off by {error} of the largest value with {kernels}; {bound} is allowed. BIPLANE_KERNELS=torch avoids these kernels.</source>
        <translation>使用 {kernels} 时，{what} 与最大值相比偏差 {error}，允许 {bound}。设置 BIPLANE_KERNELS=torch 可避开这些内核。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Cached and cold runs differ in {conversations}.</source>
        <translation>以下对话的缓存运行与冷运行不同：{conversations}。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The server answers with status {status}.</source>
        <translation>服务器返回状态 {status}。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The window did not open in time.</source>
        <translation>窗口没有及时打开。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>Logits differ by {largest} ({bound} is allowed), and {same} of {tokens} tokens are as stored.</source>
        <translation>logits 相差 {largest}（允许 {bound}），{tokens} 个 token 中有 {same} 个与存储的一致。</translation>
    </message>
    <message>
        <location filename="app/core/checks/program.py"/>
        <source>The window could not open: {reason}</source>
        <translation>窗口无法打开：{reason}</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>The CUDA part is not installed.</source>
        <translation>CUDA 组件没有安装。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>The check of the CUDA part ended without a report (code {code}).</source>
        <translation>CUDA 组件的检查结束但没有报告（代码 {code}）。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>PyTorch with CUDA cannot be imported ({name}).</source>
        <translation>无法导入带 CUDA 的 PyTorch（{name}）。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>The CUDA part does not work ({name}).</source>
        <translation>CUDA 组件不可用（{name}）。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>The check of the CUDA part did not end.</source>
        <translation>CUDA 组件的检查没有结束。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>Another PyTorch was imported than that of the CUDA part.</source>
        <translation>导入的 PyTorch 不是 CUDA 组件的那一个。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>PyTorch finds no card that computes.</source>
        <translation>PyTorch 没有找到可用于计算的显卡。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>The card computes wrongly: use the processor.</source>
        <translation>显卡计算有误：请使用处理器。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/check.py"/>
        <source>{name} computes.</source>
        <translation>{name} 可以计算。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/part.py"/>
        <source>the connection ended early</source>
        <translation>连接提前结束</translation>
    </message>
    <message>
        <location filename="app/core/cuda/part.py"/>
        <source>The CUDA part is being installed already.</source>
        <translation>CUDA 组件已经在安装中。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/part.py"/>
        <source>{folder} cannot be written ({reason}).</source>
        <translation>{folder} 无法写入（{reason}）。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/part.py"/>
        <source>The disk of {folder} lacks {size} for the CUDA part: make room, and try again.</source>
        <translation>{folder} 所在磁盘还缺 {size} 才能安装 CUDA 组件：请腾出空间后重试。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/part.py"/>
        <source>The disk of {folder} is full: make room, and try again to go on.</source>
        <translation>{folder} 所在磁盘已满：请腾出空间后重试以继续。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/part.py"/>
        <source>The CUDA part could not be fetched: {reason}. What has come is kept; try again to go on.</source>
        <translation>无法获取 CUDA 组件：{reason}。已下载的部分会保留；请重试以继续。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/unpacking.py"/>
        <source>{name} contains {path}, which no package may: it is not used.</source>
        <translation>{name} 含有任何软件包都不应有的 {path}：不予使用。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/unpacking.py"/>
        <source>{name} is damaged.</source>
        <translation>{name} 已损坏。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/unpacking.py"/>
        <source>{name} unpacks to far too much.</source>
        <translation>{name} 解压后过大。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/use.py"/>
        <source>The CUDA part could not be used ({name}), so models run on the processor.</source>
        <translation>CUDA 组件无法使用（{name}），因此模型在处理器上运行。</translation>
    </message>
    <message>
        <location filename="app/core/cuda/use.py"/>
        <source>The CUDA part belongs to another version of Biplane: install it again.</source>
        <translation>CUDA 组件属于另一个版本的 Biplane：请重新安装。</translation>
    </message>
    <message>
        <location filename="app/core/folder_check.py"/>
        <source>{name} needs {weights} of memory, but only {free_bytes} is available: close other programs, or choose fewer bits in File &gt; Weights and experts.</source>
        <translation>{name} 需要 {weights} 内存，但只有 {free_bytes} 可用：请关闭其他程序，或在“文件 &gt; 权重与专家”中选择更少的位数。</translation>
    </message>
    <message>
        <location filename="app/core/folder_check.py"/>
        <source>{args} cannot be read: {error}.</source>
        <translation>无法读取 {args}：{error}。</translation>
    </message>
    <message>
        <location filename="app/core/given.py"/>
        <source>{name} is a folder without a model. A model's folder has a config.json and its weights in .safetensors files.</source>
        <translation>{name} 是没有模型的文件夹。模型文件夹含有 config.json，权重在 .safetensors 文件中。</translation>
    </message>
    <message>
        <location filename="app/core/given.py"/>
        <source>{address} names no file.</source>
        <translation>{address} 没有指明任何文件。</translation>
    </message>
    <message>
        <location filename="app/core/given.py"/>
        <source>{name} is nothing that Biplane opens: those are a model's folder, a .gguf file, a trace (.jsonl or .jsonl.gz), and exported conversations (.json or .zip).</source>
        <translation>Biplane 无法打开 {name}：可以打开的是模型文件夹、.gguf 文件、轨迹（.jsonl 或 .jsonl.gz），以及导出的对话（.json 或 .zip）。</translation>
    </message>
    <message>
        <location filename="app/core/given.py"/>
        <source>There is no file {path}.</source>
        <translation>没有文件 {path}。</translation>
    </message>
    <message>
        <location filename="app/core/given.py"/>
        <source>{name} cannot be read: {reason}.</source>
        <translation>无法读取 {name}：{reason}。</translation>
    </message>
    <message>
        <location filename="app/core/given.py"/>
        <source>{address} is not on this computer. Save it as a file, and open that.</source>
        <translation>{address} 不在这台电脑上。请将其保存为文件，再打开该文件。</translation>
    </message>
    <message>
        <location filename="app/core/instance.py"/>
        <source>Biplane is running, but its window does not answer. End that program, or start another window with --new-instance.</source>
        <translation>Biplane 正在运行，但其窗口没有响应。请结束该程序，或用 --new-instance 另开一个窗口。</translation>
    </message>
    <message>
        <location filename="app/core/launch_marker.py"/>
        <source>Help &gt; Show log has the details.</source>
        <translation>详情见“帮助 &gt; 显示日志”。</translation>
    </message>
    <message>
        <location filename="app/core/launch_marker.py"/>
        <source>crashed</source>
        <translation>崩溃了</translation>
    </message>
    <message>
        <location filename="app/core/launch_marker.py"/>
        <source>ended unexpectedly</source>
        <translation>意外结束了</translation>
    </message>
    <message>
        <location filename="app/core/launch_marker.py"/>
        <source>The last run of Biplane {how} (started {started}); {where}</source>
        <translation>Biplane 上次运行{how}（启动于 {started}）；{where}</translation>
    </message>
    <message>
        <location filename="app/core/launch_marker.py"/>
        <source>The last {lost} runs of Biplane ended unexpectedly; {where}</source>
        <translation>Biplane 最近 {lost} 次运行都意外结束；{where}</translation>
    </message>
    <message>
        <location filename="app/core/log.py"/>
        <source>The log {path} cannot be written: {strerror}.</source>
        <translation>无法写入日志 {path}：{strerror}。</translation>
    </message>
    <message>
        <location filename="app/core/newer.py"/>
        <source>the answer is not that of a list of releases</source>
        <translation>应答不是发布列表</translation>
    </message>
    <message>
        <location filename="app/core/newer.py"/>
        <source>The newest version is {latest}; this one runs from source.</source>
        <translation>最新版本是 {latest}；当前程序从源代码运行。</translation>
    </message>
    <message>
        <location filename="app/core/newer.py"/>
        <source>Biplane {latest} is there; this is {here}. An update keeps everything.</source>
        <translation>已有 Biplane {latest}；当前版本是 {here}。更新会保留所有内容。</translation>
    </message>
    <message>
        <location filename="app/core/newer.py"/>
        <source>This is the newest version, {here}.</source>
        <translation>这是最新版本 {here}。</translation>
    </message>
    <message>
        <location filename="app/core/newer.py"/>
        <source>Whether there is a newer version is not known: {reason}</source>
        <translation>无法得知是否有新版本：{reason}</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>All conversations go for good, and what was typed in a terminal's chat.</source>
        <translation>所有对话将永久删除，终端聊天中输入的内容也一并删除。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Downloaded models go; those that lie elsewhere stay.</source>
        <translation>将删除下载的模型；位于别处的模型会保留。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Unfinished downloads</source>
        <translation>未完成的下载</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>What has arrived of them goes.</source>
        <translation>将删除已经下载的部分。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Cache files</source>
        <translation>缓存文件</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Conversations stay; the next turn of each reads it anew.</source>
        <translation>对话会保留；每段对话的下一轮将重新读取全文。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>CUDA part</source>
        <translation>CUDA 组件</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Models run on the processor from the next start on.</source>
        <translation>从下次启动起，模型在处理器上运行。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Everything is as after the installation; servers have to be connected anew.</source>
        <translation>一切恢复到刚安装时的状态；服务器需要重新连接。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Log and crash reports</source>
        <translation>日志与崩溃报告</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>Nothing else changes.</source>
        <translation>其他内容不变。</translation>
    </message>
    <message>
        <location filename="app/core/places.py"/>
        <source>{path} cannot be deleted ({reason}).</source>
        <translation>无法删除 {path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/bindings.py"/>
        <source>{keys} belongs to fields and lists.</source>
        <translation>{keys} 供输入框和列表使用。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/bindings.py"/>
        <source>{keys} writes a letter; hold Ctrl or Alt as well.</source>
        <translation>{keys} 会输入字母；请同时按住 Ctrl 或 Alt。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/book.py"/>
        <source>cannot be saved ({reason})</source>
        <translation>无法保存（{reason}）</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/preferences/file.py"/>
        <source>In the settings file {wrong}; their defaults stand in.</source>
        <translation><numerusform>设置文件中，{wrong}；已改用其默认值。</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>{what}; every setting has its default.</source>
        <translation>{what}；所有设置均为默认值。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>The file is kept as {copy}.</source>
        <translation>该文件已保留为 {copy}。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>The settings file is damaged</source>
        <translation>设置文件已损坏</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>The settings file was written by a newer version of Biplane</source>
        <translation>设置文件由更新版本的 Biplane 写入</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>A copy of the file is {copy}.</source>
        <translation>该文件的副本为 {copy}。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>The settings file is far too large to be one</source>
        <translation>设置文件过大，不可能是有效的设置文件</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>It stays where it is, at {path}.</source>
        <translation>该文件仍在原处：{path}。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/file.py"/>
        <source>The settings file {path} cannot be read ({reason}).</source>
        <translation>无法读取设置文件 {path}（{reason}）。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Takes effect with the next request.</source>
        <translation>从下一次请求起生效。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Takes effect when a model is opened.</source>
        <translation>打开模型时生效。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Model at the start</source>
        <translation>启动时的模型</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>What is opened when the program starts without --model.</source>
        <translation>不带 --model 启动时打开什么。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>startup launch default</source>
        <translation>启动 默认 startup</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Where the model runs. Automatic takes a CUDA device if there is one.</source>
        <translation>模型在哪里运行。自动：若有 CUDA 设备则使用。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>gpu cpu graphics</source>
        <translation>gpu cpu 显卡</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Model of a conversation</source>
        <translation>对话的模型</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>What happens when one is opened that was written with another model.</source>
        <translation>打开用另一个模型写的对话时如何处理。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>switch remember</source>
        <translation>切换 记住 switch</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Files of other programs</source>
        <translation>其他程序的文件</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Models lists the GGUF files in the folders of LM Studio (.lmstudio), llama.cpp and Hugging Face (.cache), and Jan. Only their headers are read.</source>
        <translation>“模型”窗口会列出 LM Studio（.lmstudio）、llama.cpp 和 Hugging Face（.cache）以及 Jan 文件夹中的 GGUF 文件。只读取它们的文件头。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>gguf lm studio jan llama.cpp hugging face cache find</source>
        <translation>gguf lm studio jan llama.cpp hugging face 缓存 查找</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Format of weights</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>int8 and int4 take less memory; they are made once and kept beside the cache files.</source>
        <translation>int8 和 int4 占用内存更少；只生成一次，与缓存文件保存在一起。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>quantise quantisation memory</source>
        <translation>量化 内存 quantise</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Memory for experts</source>
        <translation>专家的内存</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Of a mixture of experts, so much stays in memory; the rest is read when needed.</source>
        <translation>混合专家中留在内存的部分，其余在需要时读取。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>moe mixture</source>
        <translation>moe 混合专家</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>In tokens; at most the model's own.</source>
        <translation>以 token 计；最多为模型自身的上限。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>window length tokens</source>
        <translation>窗口 长度 token</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>How many threads of the processor compute.</source>
        <translation>用于计算的处理器线程数。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>cpu cores</source>
        <translation>cpu 核心</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Device budget</source>
        <translation>设备预算</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Memory of both planes: keys and values, and state checkpoints. Automatic goes by what is free.</source>
        <translation>两个平面的内存：键和值，以及状态检查点。“自动”按空闲内存决定。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>memory size gpu vram ram planes</source>
        <translation>内存 大小 显存 平面 gpu vram ram</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Share of the states</source>
        <translation>状态占比</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Part of the budget for checkpoints at first; it then follows what requests lacked.</source>
        <translation>预算中最初分给检查点的部分，之后随请求的需要调整。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>split plane kv state</source>
        <translation>划分 平面 kv 状态</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Host budget</source>
        <translation>主机预算</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Main memory for what the device evicts.</source>
        <translation>存放设备驱逐内容的主内存。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>memory ram tier</source>
        <translation>内存 层级 ram</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Disk budget</source>
        <translation>磁盘预算</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Files that survive a restart, so that the first turn after it is warm.</source>
        <translation>重启后仍保留的文件，使重启后的第一轮即为热启动。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>files tier storage ssd</source>
        <translation>文件 层级 存储 ssd</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Interval C</source>
        <translation>间隔 C</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Most tokens of a prompt between two checkpoints, a multiple of 64.</source>
        <translation>提示词中两个检查点之间的最多 token 数，64 的倍数。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>checkpoint replay tokens</source>
        <translation>检查点 重放 token</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Interval D</source>
        <translation>间隔 D</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Tokens of an answer between two checkpoints.</source>
        <translation>回答中两个检查点之间的 token 数。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>checkpoint decode answer</source>
        <translation>检查点 解码 回答</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Checks several likely tokens at once, on the CPU: answers stay the same, and come sooner where they repeat something.</source>
        <translation>在 CPU 上一次检查多个可能的 token：回答不变，重复已有内容处更快出现。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>speculative prediction faster repeat</source>
        <translation>推测 预测 加速 重复</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Answers at once</source>
        <translation>同时回答数</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>How many requests of other programs run side by side; your own chat has a place beside them and comes first.</source>
        <translation>其他程序的请求可以同时运行多少个；你自己的聊天另有一席，并且优先。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>parallel concurrent server agents</source>
        <translation>并行 同时 服务器 代理</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Eviction policy</source>
        <translation>驱逐策略</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>What goes first when there is no room.</source>
        <translation>空间不足时先淘汰什么。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>lru coverage flops</source>
        <translation>lru coverage flops</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Exact resumes only where results stay equal to the bit; fast everywhere.</source>
        <translation>精确只在结果逐位相同处恢复，快速则处处恢复。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>exact fast rounding</source>
        <translation>精确 快速 舍入</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>States on host and disk</source>
        <translation>主机与磁盘上的状态</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Smaller formats hold more of them, at the cost of rounding.</source>
        <translation>较小的格式能容纳更多，代价是舍入。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>compress bfloat16 int8</source>
        <translation>压缩 bfloat16 int8</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Verify states when idle</source>
        <translation>空闲时验证状态</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Runs a resumed prompt again from the start now and then, and compares.</source>
        <translation>不时从头重新运行已恢复的提示词并比较。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>audit check</source>
        <translation>审计 检查</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Send with</source>
        <translation>发送键</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>The other one begins a new line.</source>
        <translation>另一个则换行。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>enter return newline</source>
        <translation>回车 换行 enter</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Reused, replayed and new tokens below every answer, not only the one pointed at.</source>
        <translation>在每个回答下方显示复用、重放和新增的 token 数，而不仅是指针所指的回答。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>statistics tokens reused replayed speed</source>
        <translation>statistics tokens reused replayed speed 统计 数字 复用 重放 速度</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Evict deleted conversations</source>
        <translation>驱逐已删除的对话</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>What only they used leaves the cache without a question.</source>
        <translation>仅由它们使用的内容不再询问即离开缓存。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>delete remove cache privacy</source>
        <translation>删除 移除 缓存 隐私</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Light, dark, or as the system is.</source>
        <translation>浅色、深色或跟随系统。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>colour dark night bright mode</source>
        <translation>颜色 深色 夜间 浅色 模式</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Of letters, lines and spaces alike, in percent of the system's.</source>
        <translation>文字、线条和间距的大小，以系统大小的百分比计。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>scale zoom font large text</source>
        <translation>缩放 字体 大字</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Text size of messages</source>
        <translation>消息文字大小</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Of words, code and formulas in the chat, in pixels.</source>
        <translation>对话中文字、代码和公式的大小，以像素计。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>font large small letters zoom</source>
        <translation>字体 字号 大 小 缩放</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Reduced motion</source>
        <translation>减少动态效果</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Nothing fades, and nothing moves by itself.</source>
        <translation>没有淡入淡出，也没有自行移动的内容。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>animation fade accessibility</source>
        <translation>动画 无障碍</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Of the program; models answer in the language that they are asked in.</source>
        <translation>程序的语言；模型用提问的语言回答。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>english chinese 中文 translation</source>
        <translation>english chinese 中文 翻译</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Lets other programs on this computer use the open model and its cache.</source>
        <translation>让本机的其他程序使用已打开的模型及其缓存。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>serve api openai anthropic agents</source>
        <translation>服务 接口 api openai anthropic 智能体</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>A running server moves there, and its clients have to connect again.</source>
        <translation>正在运行的服务器会移到该端口，客户端需要重新连接。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>server address</source>
        <translation>服务器 地址</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Keep the thinking of earlier turns</source>
        <translation>保留前几轮的思考</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>In the prompts of other programs, so that what came after it is not read again at each turn. Prompts get longer, and some models were not trained for it.</source>
        <translation>即在其他程序的提示词中保留，使其后的内容不必在每一轮重新读取。提示词会变长，而且有些模型未为此训练过。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>server agents miss think history</source>
        <translation>服务器 智能体 未命中 思考 历史</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Leave out volatile lines</source>
        <translation>略去易变的行</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>What some agents change in their system text with every request, such as billing headers, so that what follows it is reused.</source>
        <translation>即某些智能体在每次请求时都会改动的系统文本，例如计费标头；略去后，其后的内容即可复用。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>server agents miss billing clock</source>
        <translation>服务器 智能体 未命中 计费 时钟</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Keys of the commands.</source>
        <translation>命令的按键。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>keyboard keys</source>
        <translation>键盘 按键</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>How much is written to the log. Only debug may hold text of conversations.</source>
        <translation>日志的详细程度。只有“调试”可能包含对话文本。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>diagnostics debug</source>
        <translation>诊断 调试</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>No checkpoints along a prompt: whatever diverges inside it is read anew.</source>
        <translation>提示词中不设检查点：其中有差异的部分需重新读取。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>No checkpoints along an answer: going on from inside it reads it anew.</source>
        <translation>回答中不设检查点：从其中间继续需重新读取。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>The last one</source>
        <translation>上次的模型</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>The bundled one</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Offer it</source>
        <translation>提供选择</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Open it</source>
        <translation>直接打开</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>As stored</source>
        <translation>按存储格式</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>the model's</source>
        <translation>模型的上限</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>all cores</source>
        <translation>全部核心</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Only from known text</source>
        <translation>仅取自已知文本</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Fast</source>
        <translation>快速</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>As they are</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>a free one</source>
        <translation>任一空闲端口</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Information</source>
        <translation>信息</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>A prompt that diverges replays at most {most} tokens, {half} on average</source>
        <translation>有差异的提示词最多重放 {most} 个 token，平均 {half} 个</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>A checkpoint of this model takes {one}: at most {count} in a full context, {all}.</source>
        <translation>此模型的一个检查点占 {one}：完整上下文中最多 {count} 个，共 {all}。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>Going on from inside an answer replays at most {most} tokens; an answer of 1,000 tokens leaves {count} checkpoints, {all}, until they are evicted.</source>
        <translation>从回答中间继续最多重放 {most} 个 token；1,000 个 token 的回答会留下 {count} 个检查点（{all}），直到被驱逐。</translation>
    </message>
    <message>
        <location filename="app/core/preferences/words.py"/>
        <source>{replay}, about {seconds} here</source>
        <translation>{replay}，在本机约 {seconds}</translation>
    </message>
    <message>
        <location filename="app/core/session/acts.py"/>
        <source>Waiting until no answer runs.</source>
        <translation>等待到没有回答在运行。</translation>
    </message>
    <message>
        <location filename="app/core/session/acts.py"/>
        <source>Computing: {done:,} of {total:,} tokens.</source>
        <translation>正在计算：{done:,} / {total:,} 个 token。</translation>
    </message>
    <message>
        <location filename="app/core/session/cache_watch.py"/>
        <source>Cache checked: every invariant holds.</source>
        <translation>缓存已检查：所有不变量均成立。</translation>
    </message>
    <message>
        <location filename="app/core/session/cache_watch.py"/>
        <source>Verifying the checkpoint; Esc stops it.</source>
        <translation>正在验证检查点；按 Esc 停止。</translation>
    </message>
    <message>
        <location filename="app/core/session/cache_watch.py"/>
        <source>What happened in the cache cannot be followed: {error}</source>
        <translation>无法跟踪缓存中发生的情况：{error}</translation>
    </message>
    <message>
        <location filename="app/core/session/cache_watch.py"/>
        <source>That node has no checkpoint to verify.</source>
        <translation>该节点没有可验证的检查点。</translation>
    </message>
    <message>
        <location filename="app/core/session/keeper.py"/>
        <source>This conversation is empty; there is nothing to export.</source>
        <translation>此对话为空，没有可导出的内容。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Tree of prefixes</source>
        <translation>前缀树</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Not known: vLLM and SGLang tell it by KV events, whose address File &gt; Connect… takes.</source>
        <translation>未知：vLLM 和 SGLang 通过 KV 事件告知，其地址可在“文件 &gt; 连接…”中填写。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>What each request reuses</source>
        <translation>每个请求复用的内容</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>{count} counters</source>
        <translation><numerusform>{count} 个计数器</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Published at {place}. The debugger rebuilds it from what comes from now on.</source>
        <translation>发布于 {place}。调试器从现在起收到的内容重建它。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>States of the linear layers</source>
        <translation>线性层的状态</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Not known: no server reports at which positions it holds one.</source>
        <translation>未知：没有服务器报告其在哪些位置持有状态。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Not known yet: no request has ended.</source>
        <translation>尚不可知：还没有请求结束。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>{reused} of {total} prompt tokens were reused, by the server's own count.</source>
        <translation>按服务器自己的统计，{total} 个提示词 token 中复用了 {reused} 个。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Not known yet.</source>
        <translation>尚不可知。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>{count} read every two seconds.</source>
        <translation>每两秒读取 {count} 个。</translation>
    </message>
    <message>
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>Of {count} it said nothing.</source>
        <translation>其中 {count} 个未给出。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/session/known_elsewhere.py"/>
        <source>{count} requests</source>
        <translation><numerusform>{count} 个请求</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/session/lab.py"/>
        <source>Open a model to look into its memory.</source>
        <translation>打开模型以查看其内存。</translation>
    </message>
    <message>
        <location filename="app/core/session/lab.py"/>
        <source>This conversation has no messages yet: say something, or type a text here.</source>
        <translation>此对话还没有消息：说点什么，或在此输入文本。</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>What you send meanwhile is answered once it is open.</source>
        <translation>期间发送的内容会在打开后得到回答。</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>Closing the model</source>
        <translation>正在关闭模型</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>Closing the model before and saving its cache</source>
        <translation>正在关闭之前的模型并保存其缓存</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>Opening {name}</source>
        <translation>正在打开 {name}</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>{amount} of {total}</source>
        <translation>{amount} / {total}</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>{name} stays open until then.</source>
        <translation>在此之前 {name} 保持打开。</translation>
    </message>
    <message>
        <location filename="app/core/session/loading.py"/>
        <source>Cancel goes back to {name}.</source>
        <translation>取消则回到 {name}。</translation>
    </message>
    <message>
        <location filename="app/core/session/model.py"/>
        <source>Saving the cache: {amount}</source>
        <translation>正在保存缓存：{amount}</translation>
    </message>
    <message>
        <location filename="app/core/session/model.py"/>
        <source>The engine has stopped. Open a model to continue.</source>
        <translation>引擎已停止。打开模型以继续。</translation>
    </message>
    <message>
        <location filename="app/core/session/model.py"/>
        <source>Other settings apply from the next request on.</source>
        <translation>其他设置从下一个请求起生效。</translation>
    </message>
    <message>
        <location filename="app/core/session/model.py"/>
        <source>{name} could not be opened: {sentence}</source>
        <translation>无法打开 {name}：{sentence}</translation>
    </message>
    <message>
        <location filename="app/core/session/model.py"/>
        <source>Recording. Token ids are written as hashes.</source>
        <translation>正在记录。Token id 以哈希写入。</translation>
    </message>
    <message>
        <location filename="app/core/session/model.py"/>
        <source>The trace was saved.</source>
        <translation>轨迹已保存。</translation>
    </message>
    <message>
        <location filename="app/core/session/model_choice.py"/>
        <source>{name} at {place}</source>
        <translation>{name}，位于 {place}</translation>
    </message>
    <message>
        <location filename="app/core/session/names.py"/>
        <source>No conversation</source>
        <translation>无对话</translation>
    </message>
    <message>
        <location filename="app/core/session/names.py"/>
        <source>Deleted conversation</source>
        <translation>已删除的对话</translation>
    </message>
    <message>
        <location filename="app/core/session/names.py"/>
        <source>Fork: {title}</source>
        <translation>分叉：{title}</translation>
    </message>
    <message>
        <location filename="app/core/session/names.py"/>
        <source>Fork {number}: {title}</source>
        <translation>分叉 {number}：{title}</translation>
    </message>
    <message>
        <location filename="app/core/session/names.py"/>
        <source>Continued: {title}</source>
        <translation>续：{title}</translation>
    </message>
    <message>
        <location filename="app/core/session/names.py"/>
        <source>Continued {number}: {title}</source>
        <translation>续 {number}：{title}</translation>
    </message>
    <message>
        <location filename="app/core/session/records.py"/>
        <source>No model is open. Choose one with File &gt; Open model.</source>
        <translation>未打开模型。请用“文件 &gt; 打开模型”选择。</translation>
    </message>
    <message>
        <location filename="app/core/session/removal.py"/>
        <source>Its messages cannot be read, so its cache stays; Cache &gt; Clear cache removes all.</source>
        <translation>无法读取其消息，因此其缓存保留；“缓存 &gt; 清空缓存”会清除全部。</translation>
    </message>
    <message>
        <location filename="app/core/session/removal.py"/>
        <source>It is evicted from the cache when its model is opened, if that is before Biplane closes.</source>
        <translation>若在 Biplane 关闭前打开其模型，届时会将其从缓存中驱逐。</translation>
    </message>
    <message>
        <location filename="app/core/session/removal.py"/>
        <source>Nothing of it was left in the cache.</source>
        <translation>缓存中已没有它的内容。</translation>
    </message>
    <message>
        <location filename="app/core/session/removal.py"/>
        <source>Evicted from the cache: {figures}.</source>
        <translation>已从缓存驱逐：{figures}。</translation>
    </message>
    <message>
        <location filename="app/core/session/removal.py"/>
        <source>Open {names} before closing Biplane to evict it from the files of that model, too.</source>
        <translation>若也要从 {names} 的文件中驱逐它，请在关闭 Biplane 之前打开该模型。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/session/search.py"/>
        <source>{count} matches</source>
        <translation><numerusform>{count} 处匹配</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/session/search.py"/>
        <source>{matches} in {conversations}</source>
        <translation>{conversations}中有 {matches}</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/session/search.py"/>
        <source>{count} conversations</source>
        <translation><numerusform>{count} 个对话</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/session/search.py"/>
        <source>No conversation has {value}.</source>
        <translation>没有对话包含{value}。</translation>
    </message>
    <message>
        <location filename="app/core/session/search.py"/>
        <source>The newest {most_hits} matches. Another word finds fewer.</source>
        <translation>最新的 {most_hits} 处匹配。多输入一个词可缩小范围。</translation>
    </message>
    <message>
        <location filename="app/core/session/search.py"/>
        <source>all these words</source>
        <translation>所有这些词</translation>
    </message>
    <message>
        <location filename="app/core/session/search.py"/>
        <source>this word</source>
        <translation>这个词</translation>
    </message>
    <message>
        <location filename="app/core/session/served.py"/>
        <source>A program</source>
        <translation>某个程序</translation>
    </message>
    <message>
        <location filename="app/core/session/settings.py"/>
        <source>Biplane's own default</source>
        <translation>Biplane 的默认值</translation>
    </message>
    <message>
        <location filename="app/core/session/settings.py"/>
        <source>start option</source>
        <translation>启动选项</translation>
    </message>
    <message>
        <location filename="app/core/session/settings.py"/>
        <source>model's generation_config</source>
        <translation>模型的 generation_config</translation>
    </message>
    <message>
        <location filename="app/core/session/settings.py"/>
        <source>The schema cannot be used: it {error}.</source>
        <translation>这个模式不能用：{error}。</translation>
    </message>
    <message>
        <location filename="app/core/session/text_files.py"/>
        <source>{name} is too large: a file may have at most {most}.</source>
        <translation>{name} 太大：一个文件最多 {most}。</translation>
    </message>
    <message>
        <location filename="app/core/session/text_files.py"/>
        <source>{name} is not a text file.</source>
        <translation>{name} 不是文本文件。</translation>
    </message>
    <message>
        <location filename="app/core/session/text_files.py"/>
        <source>{name} is empty.</source>
        <translation>{name} 是空的。</translation>
    </message>
    <message>
        <location filename="app/core/session/text_files.py"/>
        <source>{name} cannot be read: {strerror}.</source>
        <translation>无法读取 {name}：{strerror}。</translation>
    </message>
    <message>
        <location filename="app/core/session/text_files.py"/>
        <source>{name} is a folder; only text files can be attached.</source>
        <translation>{name} 是文件夹；只能附加文本文件。</translation>
    </message>
    <message>
        <location filename="app/core/session/text_files.py"/>
        <source>{name} is not an ordinary file; only text files can be attached.</source>
        <translation>{name} 不是普通文件；只能附加文本文件。</translation>
    </message>
    <message>
        <location filename="app/core/session/transfer.py"/>
        <source>{conversations} imported</source>
        <translation>已导入 {conversations}</translation>
    </message>
    <message>
        <location filename="app/core/session/transfer.py"/>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <location filename="app/core/session/transfer.py"/>
        <source>{made}; {lost} could not be read.</source>
        <translation>{made}；{lost}无法读取。</translation>
    </message>
    <message>
        <location filename="app/core/session/transfer.py"/>
        <source>{sentence} The rest of the file is damaged.</source>
        <translation>{sentence}文件其余部分已损坏。</translation>
    </message>
    <message>
        <location filename="app/core/session/transfer.py"/>
        <source>{path} cannot be written: {reason}.</source>
        <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>Waiting, because the answer was stopped.</source>
        <translation>等待中，因为回答已被停止。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>Waiting, because the answer failed.</source>
        <translation>等待中，因为回答失败。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>Waiting, because the context is full.</source>
        <translation>等待中，因为上下文已满。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>Waiting since Biplane was closed.</source>
        <translation>自 Biplane 关闭以来等待中。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>{name} is attached already.</source>
        <translation>{name} 已经附加。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>{name} was not attached: a message may have at most {most_files} files.</source>
        <translation>未附加 {name}：一条消息最多可附 {most_files} 个文件。</translation>
    </message>
    <message>
        <location filename="app/core/session/unsent.py"/>
        <source>{name} was not attached: the files of a message may have at most {most}.</source>
        <translation>未附加 {name}：一条消息的文件总计最多 {most}。</translation>
    </message>
    <message>
        <location filename="app/core/store/connections.py"/>
        <source>This system has no keyring, so the token is kept for this run only.</source>
        <translation>此系统没有密钥环，因此令牌仅在本次运行中保留。</translation>
    </message>
    <message>
        <location filename="app/core/store/connections.py"/>
        <source>The system's keyring did not take the token: it is kept for this run only.</source>
        <translation>系统密钥环未接受该令牌：仅在本次运行中保留。</translation>
    </message>
    <message>
        <location filename="app/core/store/export.py"/>
        <source>*(not complete)*</source>
        <translation>*（不完整）*</translation>
    </message>
    <message>
        <location filename="app/core/store/export.py"/>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <location filename="app/core/store/export.py"/>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>it is not an export of Biplane, ChatGPT or Open WebUI.</source>
        <translation>它不是 Biplane、ChatGPT 或 Open WebUI 的导出文件。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>it has no conversation with a message.</source>
        <translation>其中没有含消息的对话。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>it is not JSON.</source>
        <translation>它不是 JSON。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>it was exported by a newer version of Biplane.</source>
        <translation>它由更新版本的 Biplane 导出。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>it has no list of conversations.</source>
        <translation>其中没有对话列表。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>the archive is damaged or locked.</source>
        <translation>压缩包已损坏或被加密。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>{where} has no list of messages.</source>
        <translation>{where}没有消息列表。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>message {at} of {where}</source>
        <translation>{where}的第 {at} 条消息</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>{where} ends with a message that it does not have.</source>
        <translation>{where}以不存在的消息结尾。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>{where} is not a JSON object.</source>
        <translation>{where}不是 JSON 对象。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>{where} has no {missing}.</source>
        <translation>{where}缺少 {missing}。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>it is larger than {most_bytes:,} MiB.</source>
        <translation>它大于 {most_bytes:,} MiB。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>there is no conversations.json in it.</source>
        <translation>其中没有 conversations.json。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>message {at} of {where} follows one that is not before it.</source>
        <translation>{where}的第 {at} 条消息所接续的消息不在它之前。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>message {at} of {where} has the id of another.</source>
        <translation>{where}的第 {at} 条消息与另一条 id 相同。</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>{where} is bad: {error}</source>
        <translation>{where}有误：{error}</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>{name} cannot be imported: {error}</source>
        <translation>无法导入 {name}：{error}</translation>
    </message>
    <message>
        <location filename="app/core/store/importing.py"/>
        <source>its conversations are larger than {most_bytes:,} MiB.</source>
        <translation>其中的对话大于 {most_bytes:,} MiB。</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>This build of SQLite has no full-text index, so searching reads every message.</source>
        <translation>此 SQLite 版本没有全文索引，搜索时会读取每条消息。</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>no message could be read</source>
        <translation>没有任何消息可以读取</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>Your conversations were damaged</source>
        <translation>您的对话已损坏</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>Your conversations were saved by a newer version of Biplane</source>
        <translation>您的对话由更新版本的 Biplane 保存</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>{what}: {found}, and the file is kept as {name}.</source>
        <translation>{what}：{found}，文件保留为 {name}。</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>Another Biplane window has your conversations open; those of this window are not kept.</source>
        <translation>另一个 Biplane 窗口已打开您的对话；此窗口中的对话不会保存。</translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>{messages} could be read</source>
        <translation>可读取 {messages}</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/store/opening.py"/>
        <source>{count} messages</source>
        <translation><numerusform>{count} 条消息</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/store/opening.py"/>
        <source>Conversations cannot be saved in {folder} ({reason}); new ones are lost when the window closes.</source>
        <translation>无法在 {folder} 中保存对话（{reason}）；窗口关闭时新对话会丢失。</translation>
    </message>
    <message>
        <location filename="app/core/store/reader.py"/>
        <source>The conversations cannot be searched ({error}).</source>
        <translation>无法搜索对话（{error}）。</translation>
    </message>
    <message>
        <location filename="app/core/store/reader.py"/>
        <source>This part of the conversations cannot be read ({error}); the next start saves what is readable.</source>
        <translation>无法读取这部分对话（{error}）；下次启动会保存可读的内容。</translation>
    </message>
    <message>
        <location filename="app/core/store/schema.py"/>
        <source>The conversations were saved by a newer version of Biplane.</source>
        <translation>对话由更新版本的 Biplane 保存。</translation>
    </message>
    <message>
        <location filename="app/core/store/searcher.py"/>
        <source>The conversations cannot be searched.</source>
        <translation>无法搜索对话。</translation>
    </message>
    <message>
        <location filename="app/core/store/store.py"/>
        <source>The conversations of the file cannot be saved, so none was imported. Make room on the disk, and import the file again.</source>
        <translation>文件中的对话无法保存，因此一个也没有导入。请腾出磁盘空间，然后重新导入该文件。</translation>
    </message>
    <message>
        <location filename="app/core/store/writer.py"/>
        <source>Conversations cannot be saved now ({error}); Biplane keeps trying.</source>
        <translation>目前无法保存对话（{error}）；Biplane 会继续尝试。</translation>
    </message>
    <message>
        <location filename="app/core/version.py"/>
        <source>from source</source>
        <translation>来自源代码</translation>
    </message>
    <message>
        <location filename="app/core/web.py"/>
        <source>{host} cannot be reached</source>
        <translation>无法连接 {host}</translation>
    </message>
    <message>
        <location filename="app/core/web.py"/>
        <source>{host} has no valid certificate</source>
        <translation>{host} 没有有效证书</translation>
    </message>
    <message>
        <location filename="app/core/web.py"/>
        <source>{host} does not answer</source>
        <translation>{host} 没有应答</translation>
    </message>
    <message>
        <location filename="app/core/web.py"/>
        <source>{url} is not encrypted</source>
        <translation>{url} 未加密</translation>
    </message>
    <message>
        <location filename="app/core/web.py"/>
        <source>{host} answers {status}</source>
        <translation>{host} 返回 {status}</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>The context is full. Nothing said so far is left out, but there is no room for another answer: shorten an earlier message, or continue in a new conversation.</source>
        <translation>上下文已满。到目前为止的内容没有遗漏，但已没有空间容纳新的回答：请缩短之前的消息，或在新对话中继续。</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>the first one is</source>
        <translation>最前面的一条</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>The first message was</source>
        <translation>最前面的一条消息</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{amount} of {window} tokens of context are left. An answer stops where they end, and a longer message is refused; nothing said before is ever left out.</source>
        <translation>上下文共 {window} 个 token，{amount}。用完时回答会停止，更长的消息会被拒绝；之前所说的绝不会被省略。</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{tokens} tokens; the context has room for {window}</source>
        <translation>{tokens} 个 token，而上下文只能容纳 {window} 个</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>With this message the prompt has {figures}. It cannot be sent like this: shorten it, or continue in a new conversation.</source>
        <translation>加上此消息后，提示词有 {figures}。这样无法发送：请缩短它，或在新对话中继续。</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>The answer stopped because the context of {window} tokens is full. Nothing said so far is left out, but there is no room for more: continue in a new conversation.</source>
        <translation>回答已停止，因为 {window} 个 token 的上下文已满。到目前为止的内容没有遗漏，但已没有更多空间：请在新对话中继续。</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>Keep the last {messages}</source>
        <translation>保留最后 {messages}</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>A new conversation with the last {last} and what is in the composer; {out} left out</source>
        <translation>带着最后 {last}和输入框内容开始新对话；略去{out}</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{first} left out here, and can be read in “{title}”.</source>
        <translation>{first}在此略去，可在“{title}”中查看。</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>does not fit: {tokens} of at most {window} tokens</source>
        <translation>放不下：{tokens} 个 token，最多 {window} 个</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{used} of {window} tokens of context used</source>
        <translation>已用上下文 {used} / {window} 个 token</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{left} left; an answer takes at most {left2}</source>
        <translation>剩余 {left}；一个回答最多占 {left2}</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>About {left}</source>
        <translation>约剩 {left}</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>Only {left}</source>
        <translation>只剩 {left}</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>This message is too long: it makes a prompt of {figures}. Shorten it.</source>
        <translation>此消息太长：提示词将有 {figures}。请缩短它。</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>the first {left_out} are</source>
        <translation>最前面的 {left_out} 条</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>The first {count} messages were</source>
        <translation>最前面的 {count} 条消息</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{warm} warm: the next prompt reuses them</source>
        <translation>{warm} 个已预热：下一个提示词会复用</translation>
    </message>
    <message>
        <location filename="app/core/words/context_words.py"/>
        <source>{used} cold: the next prompt has to run them</source>
        <translation>{used} 个为冷：下一个提示词需要运行</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>KV cache in use</source>
        <translation>KV 缓存用量</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Prompt tokens found in the cache</source>
        <translation>在缓存中命中的提示词 token</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Found in a connected cache</source>
        <translation>在外接缓存中命中</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Preemptions</source>
        <translation>抢占</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Token pool in use</source>
        <translation>Token 池用量</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Cache hit rate</source>
        <translation>缓存命中率</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Tokens reused</source>
        <translation>复用的 token</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>KV that may be evicted</source>
        <translation>可驱逐的 KV</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>KV in use</source>
        <translation>KV 用量</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>State slots in use</source>
        <translation>使用中的状态槽位</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>State slots used</source>
        <translation>状态槽位用量</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>States that may be evicted</source>
        <translation>可驱逐的状态</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>State slots free</source>
        <translation>空闲状态槽位</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Sliding windows in use</source>
        <translation>滑动窗口用量</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>KV in host memory</source>
        <translation>主机内存中的 KV</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Accepted per draft</source>
        <translation>每次草稿接受数</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Prompt tokens read</source>
        <translation>已读提示词 token</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Tokens written</source>
        <translation>写出的 token</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Requests running</source>
        <translation>运行中的请求</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Requests waiting</source>
        <translation>等待中的请求</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Longest sequence so far</source>
        <translation>迄今最长序列</translation>
    </message>
    <message>
        <location filename="app/core/words/counter_words.py"/>
        <source>Drafts accepted</source>
        <translation>接受的草稿</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>Asking what the repository holds…</source>
        <translation>正在查询仓库内容…</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>Downloaded, every file verified</source>
        <translation>已下载，所有文件均已校验</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{size} a second</source>
        <translation>每秒 {size}</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分钟</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{amount} · checking what is there</source>
        <translation>{amount} · 正在检查已有内容</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{amount} · waiting for the connection</source>
        <translation>{amount} · 正在等待连接</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>Paused at {amount}</source>
        <translation>已暂停于 {amount}</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>Stopped at {amount}</source>
        <translation>已停止于 {amount}</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{count} s</source>
        <translation>{count} 秒</translation>
    </message>
    <message>
        <location filename="app/core/words/download_words.py"/>
        <source>{count} min</source>
        <translation>{count} 分钟</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>this conversation</source>
        <translation>本对话</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>the given prediction</source>
        <translation>给定的预测</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>another cached path</source>
        <translation>另一条已缓存路径</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>a path in host memory</source>
        <translation>主机内存中的路径</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>a path on disk</source>
        <translation>磁盘上的路径</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>the model's own draft head</source>
        <translation>模型自带的草稿头</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>{names} and {more} more</source>
        <translation>{names} 以及另外 {more} 处</translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>{kept} of {drafted} drafted tokens were the answer's</source>
        <translation>{drafted} 个草稿 token 中有 {kept} 个成为回答</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/words/draft_words.py"/>
        <source>{count} drafted tokens were rejected, beginning at {places}</source>
        <translation><numerusform>{count} 个草稿 token 被拒绝，起点为 {places}</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/words/draft_words.py"/>
        <source>From {source}: tokens {passages}</source>
        <translation>取自{source}：token {passages}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>a prompt with the same cuts resumes from it bit for bit like a cold run</source>
        <translation>切点相同的提示词从它恢复，与冷运行逐位一致</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>resuming from it differs from a cold run by rounding</source>
        <translation>从它恢复与冷运行仅有舍入差异</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>This is normal: a straight chat forks here at every turn.</source>
        <translation>这是正常的：普通对话每一轮都会在此分叉。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>taken while reading a prompt</source>
        <translation>在读取提示词时建立</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>taken while writing</source>
        <translation>在写回答时建立</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>taken where a conversation forked</source>
        <translation>在对话分叉处建立</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>the device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>the disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>before the last restart</source>
        <translation>上次重启之前</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>An audit found this state to be wrong, so nothing resumes from it any more.</source>
        <translation>审计发现此状态有误，因此不再从它恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>verified: no difference from a cold run</source>
        <translation>已验证：与冷运行无差异</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>The checkpoint was verified: no difference from a cold run was found.</source>
        <translation>检查点已验证：与冷运行没有差异。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>, locked by the running request</source>
        <translation>，被运行中的请求锁定</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>No evictions yet</source>
        <translation>还没有驱逐</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>warm</source>
        <translation>热</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>cold</source>
        <translation>冷</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>{reused} of {total} tokens are in the cache</source>
        <translation>{total} 个 token 中有 {reused} 个在缓存中</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>{name}: {cached}, about {wait} to the first token</source>
        <translation>{name}：{cached}，约 {wait} 到首个 token</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>none (tombstone)</source>
        <translation>无（墓碑）</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>not told by the engine</source>
        <translation>引擎未告知</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>at {position}, {provenance}{point}</source>
        <translation>{position} 处，{provenance}{point}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>The checkpoint was {taken}: {by_bits}.</source>
        <translation>该检查点{taken}：{by_bits}。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>{stored}, error {error}</source>
        <translation>{stored}，误差 {error}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>{status}: {largest} off, KL {kl:.2g}</source>
        <translation>{status}：偏差 {largest}，KL {kl:.2g}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>the next token's probabilities move by at most {kl} (KL {kl2:.2g})</source>
        <translation>下一个 token 的概率最多变动 {kl}（KL {kl2:.2g}）</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>The checkpoint was wrong, up to {off} away from a cold run, and is no longer used.</source>
        <translation>该检查点有误，与冷运行偏差最大达 {off}，不再使用。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>in doubt: events were lost, and it was not heard of since</source>
        <translation>存疑：事件丢失，此后再无消息</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>writing, at {position}</source>
        <translation>正在写，位于 {position}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Location</source>
        <translation>位置</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Matched</source>
        <translation>匹配</translation>
    </message>
    <message numerus="yes">
        <location filename="app/core/words/explain.py"/>
        <source>{count} times</source>
        <translation><numerusform>{count} 次</numerusform></translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Made</source>
        <translation>建立</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Node {tier_words}</source>
        <translation>{tier_words}的节点</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Node {id}</source>
        <translation>节点 {id}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>This state, or one that it was computed from, was stored as {stored}: resuming from it differs from a cold run by the error of that format.</source>
        <translation>此状态或计算它所用的状态曾以 {stored} 存储：从它恢复与冷运行相差该格式的误差。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>This state was computed from one that an audit found {error} away from a cold run's.</source>
        <translation>计算此状态所用的状态经审计发现与冷运行相差 {error}。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>tokens {start} to {end} ({tokens})</source>
        <translation>token {start} 至 {end}（{tokens}）</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>tombstone: no checkpoint on any tier, so nothing can resume here</source>
        <translation>墓碑：任何层级都没有检查点，因此无法在此恢复</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>the engine does not tell whether it has a checkpoint here</source>
        <translation>引擎未告知此处是否有检查点</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>checkpoint {bytes}, {provenance}{point}</source>
        <translation>检查点 {bytes}，{provenance}{point}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>replaying, at {position} of {matched}</source>
        <translation>正在重放，{position} / {matched}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>reading, at {position} of {total}</source>
        <translation>正在读取，{position} / {total}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source> · {evicted} evicted</source>
        <translation> · 已驱逐 {evicted}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source> in slot {slot}</source>
        <translation>，槽位 {slot}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>Resumed</source>
        <translation>恢复</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>{error} off</source>
        <translation>偏差 {error}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>The checkpoint was verified: state, keys, values and scores are within {off} of a cold run's, and {moved}.</source>
        <translation>检查点已验证：状态、键、值和得分与冷运行相差不超过 {off}，且{moved}。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>The audit is inconclusive: the checkpoint is up to {off} away from a cold run, which rounding alone can cause with this model, and {moved}.</source>
        <translation>审计无定论：检查点与冷运行偏差最大达 {off}，对此模型仅舍入即可造成，且{moved}。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>The checkpoint drifted: it is up to {off} away from a cold run, more than rounding explains, but {moved}.</source>
        <translation>检查点已漂移：与冷运行偏差最大达 {off}，超出舍入所能解释的范围，但{moved}。</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>used {used}, matched {times}{locked}</source>
        <translation>使用于{used}，匹配 {times}{locked}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>stored {tier_words}{locked}</source>
        <translation>存储{tier_words}{locked}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>checkpoints found wrong: {quarantined}</source>
        <translation>发现有误的检查点：{quarantined}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>checkpoints skipped: {skipped_checkpoints}</source>
        <translation>跳过的检查点：{skipped_checkpoints}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>KV {kv_lock}, state {state_lock}</source>
        <translation>KV {kv_lock}，状态 {state_lock}</translation>
    </message>
    <message>
        <location filename="app/core/words/explain.py"/>
        <source>kept for: {why}</source>
        <translation>保留原因：{why}</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec</source>
        <translation>1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>January February March April May June July August September October November December</source>
        <translation>1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>less than 0.1 s</source>
        <translation>不到 0.1 秒</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>Monday Tuesday Wednesday Thursday Friday Saturday Sunday</source>
        <translation>星期一 星期二 星期三 星期四 星期五 星期六 星期日</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{weekday}, {day}</source>
        <translation>{day}{weekday}</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{day}, {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{day} {month}</source>
        <translation>{month}{day}日</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{whole} min {whole2} s</source>
        <translation>{whole} 分 {whole2} 秒</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{value:,.0f} days ago</source>
        <translation>{value:,.0f} 天前</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{day} {month} {year}</source>
        <translation>{year}年{month}{day}日</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>about {value:.1f} s</source>
        <translation>约 {value:.1f} 秒</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>about {seconds}</source>
        <translation>约 {seconds}</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{value:.0f} s ago</source>
        <translation>{value:.0f} 秒前</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{value:.0f} min ago</source>
        <translation>{value:.0f} 分钟前</translation>
    </message>
    <message>
        <location filename="app/core/words/format.py"/>
        <source>{value:.0f} h ago</source>
        <translation>{value:.0f} 小时前</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The memory for keys and values was full, and something had to make room.</source>
        <translation>键和值的内存已满，必须腾出空间。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Every slot for states was taken, and a checkpoint had to make room.</source>
        <translation>状态槽位已全部占用，必须有检查点让出空间。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Room was needed, and requests without a history go first: nobody is likely to return.</source>
        <translation>需要空间，没有历史的请求最先让出：多半不会有人再回来。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A stretch without a checkpoint, after which nothing is stored any more: no prompt could have used it, so this cost nothing.</source>
        <translation>一段没有检查点的内容，其后也不再存有任何东西：没有提示词能用到它，因此没有损失。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The end of a run after its last checkpoint: no prompt could have resumed there.</source>
        <translation>一次运行在最后一个检查点之后的尾部：没有提示词能从那里恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A better state for the same tokens took its place; nothing was lost.</source>
        <translation>同样 token 的更好状态取代了它；没有丢失任何东西。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The client that it was stored for ended its session.</source>
        <translation>它所服务的客户端结束了会话。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>You cleared it.</source>
        <translation>您清除了它。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Its conversation was deleted, and what only that one used with it.</source>
        <translation>它所属的对话已删除，仅该对话使用的内容也随之删除。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was computed from a state that an audit found to be wrong.</source>
        <translation>它由一个审计发现有误的状态计算而来。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was computed from a state that is less exact than was claimed.</source>
        <translation>它由一个精确度低于所称的状态计算而来。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The cache's files reached the size that the settings allow.</source>
        <translation>缓存文件已达到设置允许的大小。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Its file did not have the bytes that were written, so it was not used.</source>
        <translation>它的文件与写入的字节不符，因此未被使用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Somebody deleted its file.</source>
        <translation>有人删除了它的文件。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Another Biplane wrote a newer file in its place.</source>
        <translation>另一个 Biplane 在原处写入了更新的文件。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It continues another file, which is gone; alone it cannot be used.</source>
        <translation>它接续的文件已不存在；单独无法使用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The disk did not take its file, so there is no copy on disk.</source>
        <translation>磁盘未能写入它的文件，因此磁盘上没有副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The tier has the copy now.</source>
        <translation>该层级现在有了副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The tier had it already, so nothing was copied.</source>
        <translation>该层级已有它，因此没有复制。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The tier had no room that it could free.</source>
        <translation>该层级没有可以腾出的空间。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The copy was started but failed; the tier is as it was.</source>
        <translation>复制已开始但失败了；该层级保持原样。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A run resumed from it is as close to a cold run as its kind can be.</source>
        <translation>从它恢复的运行与冷运行的接近程度已达其种类所能。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It differs by no more than rounding can, which is too much to be sure.</source>
        <translation>差异未超出舍入所能造成的范围，但大到无法确定。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It differs by more than rounding, but the next token is the same.</source>
        <translation>差异超出舍入，但下一个 token 相同。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>An audit found it wrong: nothing resumes from it any more.</source>
        <translation>审计发现它有误：不再从它恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Reading a prompt: many tokens at once, before the first answer token.</source>
        <translation>读取提示词：在第一个回答 token 之前一次处理许多 token。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Writing an answer: one token at a time.</source>
        <translation>写回答：一次一个 token。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Two conversations part here, and both can resume from it.</source>
        <translation>两个对话在此分开，都可以从它恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The system text ends here, with which every chat begins.</source>
        <translation>系统文本在此结束，每个聊天都以它开头。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A message of yours starts here: editing it resumes from here.</source>
        <translation>您的一条消息从这里开始：编辑它时从这里恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The next turn leaves out the thinking that follows, so it will part from this prompt here.</source>
        <translation>下一轮会略去其后的思考，因此会在此与这个提示词分开。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>An answer starts here: writing it anew resumes from here.</source>
        <translation>一个回答从这里开始：重新生成时从这里恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A tool call starts here: its result will be inserted after it.</source>
        <translation>一次工具调用从这里开始：结果会插入其后。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>One is stored every so many tokens, so that never much has to be replayed.</source>
        <translation>每隔若干 token 存储一个，因此需要重放的总是不多。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A prompt ends here: the same one again needs to read nothing.</source>
        <translation>一个提示词在此结束：同样的提示词无需再读取。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>An answer ends here: the next message goes on from it.</source>
        <translation>一个回答在此结束：下一条消息从它继续。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A request was stopped here, so what had been read is not lost.</source>
        <translation>一个请求在此停止，已读取的内容不会丢失。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>You asked for a checkpoint here.</source>
        <translation>您要求在此建立检查点。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The memory that the model runs in: the fastest, and the smallest.</source>
        <translation>模型运行所在的内存：最快，也最小。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The computer's main memory: has copies of what the device had to give up.</source>
        <translation>计算机的主内存：存有设备不得不放弃的内容的副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Files in the cache folder: slow, but still there after a restart.</source>
        <translation>缓存文件夹中的文件：较慢，但重启后仍在。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A stored copy of the state after exactly so many tokens: a prompt that begins with them goes on from there instead of reading them again.</source>
        <translation>恰好若干 token 之后状态的存储副本：以它们开头的提示词可从那里继续，不必重新读取。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A stretch whose keys and values are still stored but whose checkpoint is gone: it can be read on the way to a deeper checkpoint, but nothing resumes at its end.</source>
        <translation>键和值仍在、检查点已无的一段：可在通往更深检查点的路上使用，但不能在其末端恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>keys and values</source>
        <translation>键和值</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>What full attention remembers of each token; it grows with every token.</source>
        <translation>全注意力对每个 token 的记忆；随每个 token 增长。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Keys and values: what full attention remembers of each token, one entry each.</source>
        <translation>键和值：全注意力对每个 token 的记忆，每个一条。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The memory for keys and values, one slot per token; chats that begin alike share it.</source>
        <translation>存放键和值的内存，每个 token 一个槽位；开头相同的聊天共用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>state plane</source>
        <translation>状态平面</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The memory for states: one slot holds the state after exactly so many tokens.</source>
        <translation>存放状态的内存：一个槽位保存恰好若干 token 之后的状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>One stretch of the tree: tokens that no prompt leaves halfway, stored together.</source>
        <translation>树中的一段：没有提示词中途离开的 token，一起存储。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The beginning of a prompt, from its first token up to some position.</source>
        <translation>提示词的开头，从第一个 token 到某个位置。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Known tokens that run once more, because the state after them was not stored; their keys and values are reused.</source>
        <translation>已知但要再运行一次的 token，因为其后的状态没有存储；它们的键和值会复用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Where two prompts stop being equal; a state stored there serves both.</source>
        <translation>两个提示词开始不同的位置；存储在那里的状态对两者都有用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>cold run</source>
        <translation>冷运行</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Reading a whole prompt with an empty cache: what reuse is checked by.</source>
        <translation>在空缓存下读取整个提示词：用来核对复用的结果。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A check of a checkpoint: the same tokens are run anew, and the results compared.</source>
        <translation>对检查点的核对：重新运行相同的 token 并比较结果。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>eviction</source>
        <translation>驱逐</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Something left a tier, to make room or because it was of no use.</source>
        <translation>某些内容离开了一个层级，为腾出空间或因为没有用处。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>tier</source>
        <translation>层级</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Where bytes are kept: on the device, in host memory, or on disk; each slower, larger.</source>
        <translation>字节存放之处：设备、主机内存或磁盘；依次更慢、更大。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>state slot</source>
        <translation>状态槽位</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Room for one state; their number is what the state plane can hold.</source>
        <translation>一个状态的位置；其数量即状态平面的容量。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>KV slot</source>
        <translation>KV 槽位</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Room for the keys and values of one token.</source>
        <translation>一个 token 的键和值的位置。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>anchor</source>
        <translation>锚点</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A position where later prompts will part or resume, so a checkpoint is worth it there.</source>
        <translation>之后的提示词会分开或恢复的位置，因此值得在那里建立检查点。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>full attention</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A layer that looks back at every earlier token: exact, and it grows with each of them.</source>
        <translation>回看之前每个 token 的层：精确，且随每个 token 增长。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>linear attention</source>
        <translation>线性注意力</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A layer that sums up all earlier tokens in one state of fixed size.</source>
        <translation>把之前所有 token 汇总为一个固定大小状态的层。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>What linear attention remembers: one summary of fixed size, rewritten by each token.</source>
        <translation>线性注意力的记忆：一份固定大小的汇总，由每个 token 改写。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>thinking block</source>
        <translation>思考块</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>What a model writes to itself before it answers.</source>
        <translation>模型在回答之前写给自己的内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>How messages become one text for the model, with marks between them.</source>
        <translation>消息如何变成给模型的一段文本，之间带有标记。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>How far two predictions of the next token are apart, in nats; 0 is equal.</source>
        <translation>对下一个 token 的两个预测相差多远，单位 nat；0 表示相同。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Tokens whose keys, values and state were stored: nothing had to run.</source>
        <translation>键、值和状态都已存储的 token：无需运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Tokens that the model had not read before in this place: they had to run.</source>
        <translation>模型此前未在此处读过的 token：必须运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A piece of text as the model reads it: a word, or a part of one.</source>
        <translation>模型所读文本的一小块：一个词或其一部分。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>One step of the model; each has a memory of its own.</source>
        <translation>模型的一步；每一步有自己的记忆。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A part of a layer that attends by itself, with its own keys and values.</source>
        <translation>层中独立关注的一部分，有自己的键和值。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>What a token is found by when a later one looks back.</source>
        <translation>之后的 token 回看时据以找到它的内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>What a token hands on when a later one looks back.</source>
        <translation>之后的 token 回看时它所交出的内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>What a token looks for when it looks back.</source>
        <translation>token 回看时所寻找的内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>gate</source>
        <translation>门控</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>How much of the state a token lets stand before it writes its own.</source>
        <translation>token 写入自己的内容之前保留状态的多少。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>beta</source>
        <translation>beta</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>How much of the difference between its value and what was read a token writes.</source>
        <translation>token 把自己的值与读出值之差写入的比例。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The length of a vector: how much there is in it, whatever it says.</source>
        <translation>向量的长度：其中有多少内容，无论内容是什么。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>How alike two vectors point: 1 the same way, 0 unrelated, -1 the opposite.</source>
        <translation>两个向量方向的相似程度：1 同向，0 无关，-1 反向。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>needle</source>
        <translation>针</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The earlier token of which is asked how much is still remembered.</source>
        <translation>被询问还记得多少的那个较早的 token。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was evicted and no tier has a copy: it has to run again if needed.</source>
        <translation>它已被驱逐，且没有层级存有副本：需要时必须重新运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It left the device, but a slower tier has a copy.</source>
        <translation>它离开了设备，但较慢的层级存有副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It left one place, but the same or a faster tier still has it.</source>
        <translation>它离开了一处，但同一或更快的层级仍有它。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Likely tokens that are checked together; one stays where the model says the same.</source>
        <translation>很可能出现的 token，一起检查；只有与模型所说相同的才保留。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>regretted</source>
        <translation>误驱逐</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was evicted and soon needed again, so its tokens ran twice.</source>
        <translation>它被驱逐后很快又被需要，因此其 token 运行了两次。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The model itself: what it has learnt, which no chat changes.</source>
        <translation>模型本身：它学到的内容，不会因聊天改变。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Memory that the model computes in; it holds nothing between answers.</source>
        <translation>模型计算所用的内存；两次回答之间不保存任何内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The model's draft head, its layer of the KV plane, and the rows that are checked.</source>
        <translation>模型的草稿头、它在 KV 平面中的一层，以及被核对的各行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Parts of the model of which each token uses a few.</source>
        <translation>模型的一些部分，每个 token 只用其中几个。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Copies in main memory of what the device had to give up.</source>
        <translation>设备不得不放弃的内容在主内存中的副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Copies in files, which are still there after a restart.</source>
        <translation>文件中的副本，重启后仍在。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The running request reads it, so it cannot be evicted.</source>
        <translation>正在运行的请求在读取它，因此不能驱逐。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It is never evicted until you unpin it.</source>
        <translation>在您取消固定之前不会被驱逐。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Events of the engine were lost, so it may be gone without our knowing.</source>
        <translation>引擎的事件有丢失，因此它可能已不在而我们不知道。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Inserted</source>
        <translation>插入</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A run added tokens to the tree.</source>
        <translation>一次运行向树中加入了 token。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A prompt left a stretch halfway, so it became two.</source>
        <translation>一个提示词中途离开了一段，于是它变成两段。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Checkpoint stored</source>
        <translation>已存检查点</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The state after these tokens was kept.</source>
        <translation>这些 token 之后的状态已保存。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Checkpoint skipped</source>
        <translation>跳过检查点</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A state was to be kept, but no slot was free.</source>
        <translation>本应保存一个状态，但没有空闲槽位。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>State evicted, tombstone left</source>
        <translation>状态被驱逐，留下墓碑</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A checkpoint went; its keys and values stayed, but nothing resumes there any more.</source>
        <translation>一个检查点离开了；键和值留下，但不再从那里恢复。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>KV evicted</source>
        <translation>KV 被驱逐</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Keys and values left the tier; no state was stored with them.</source>
        <translation>键和值离开了该层级；没有与它们一起存储的状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>KV and state evicted</source>
        <translation>KV 和状态被驱逐</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A stretch left the tier together with its checkpoint.</source>
        <translation>一段内容连同其检查点离开了该层级。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>State replaced</source>
        <translation>状态被替换</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A better state for the same tokens took its place.</source>
        <translation>同样 token 的更好状态取代了它。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A checkpoint was copied to another tier, or back.</source>
        <translation>一个检查点被复制到另一层级或复制回来。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Not copied</source>
        <translation>未复制</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A copy to another tier was wanted, but was not made.</source>
        <translation>本应复制到另一层级，但没有进行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>File removed</source>
        <translation>文件已移除</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A file of the disk tier was removed.</source>
        <translation>磁盘层的一个文件被移除。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Unpinned</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It may be evicted again.</source>
        <translation>它又可以被驱逐了。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>By hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>You did something to a node.</source>
        <translation>您对一个节点进行了操作。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Settings changed</source>
        <translation>设置已更改</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The cache's settings were changed while it ran.</source>
        <translation>运行期间更改了缓存设置。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Planes resized</source>
        <translation>平面已调整大小</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Memory was moved from one plane to the other.</source>
        <translation>内存从一个平面移到了另一个平面。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Cleared</source>
        <translation>清空</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The whole cache was emptied.</source>
        <translation>整个缓存已清空。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The engine had something to say.</source>
        <translation>引擎有话要说。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Entries missing</source>
        <translation>缺少记录</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Events were lost, so what happened then is not known.</source>
        <translation>事件有丢失，因此不知道那时发生了什么。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Everything that could be reused was.</source>
        <translation>凡能复用的都已复用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The request was told to leave the cache alone.</source>
        <translation>该请求被要求不使用缓存。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The whole prompt was stored, so next to nothing had to run.</source>
        <translation>整个提示词都已存储，几乎无需运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>So few tokens ran that nothing is to be gained.</source>
        <translation>运行的 token 极少，没有可节省的。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The prompt needs more memory than the cache could free.</source>
        <translation>提示词需要的内存超出缓存所能腾出的。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>No earlier prompt began like this one, so all of it is new.</source>
        <translation>之前没有提示词这样开头，因此全部是新的。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The prompt goes on where the cache ends; only what was added is new.</source>
        <translation>提示词接着缓存的末尾继续；只有添加的部分是新的。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>From here on the prompt has other text than the one that was stored.</source>
        <translation>从此处起，提示词与存储的文本不同。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The chats begin alike; what follows was never read before.</source>
        <translation>两个聊天开头相同；其后的内容从未读过。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The first part of its system text is stored, but no state where the two part.</source>
        <translation>其系统文本的前一部分已存储，但两者分开处没有状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The model's template leaves the thinking of earlier turns out of the next prompt, so the answer after it is read again. This is normal.</source>
        <translation>模型的模板会在下一个提示词中略去前几轮的思考，因此其后的回答要重新读取。这是正常现象。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A date in the prompt is another one now, and all after it runs again.</source>
        <translation>提示词中的日期变了，其后的内容都要重新运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The system text stands first, so all after the change runs again.</source>
        <translation>系统文本在最前面，因此改动之后的内容都要重新运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The tools stand before the chat, so all of it runs again.</source>
        <translation>工具排在聊天之前，因此整个聊天都要重新运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A message was edited; what follows it runs again.</source>
        <translation>编辑了一条消息；其后的内容要重新运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The chat had become too long: its oldest turns were left out, and the rest moved up.</source>
        <translation>聊天变得太长：最早的几轮被略去，其余前移。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Text in the middle was left out, and the rest moved up.</source>
        <translation>中间的文本被略去，其余前移。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The answer is cut into other tokens when it is read than when it was written.</source>
        <translation>回答在读取时切分成的 token 与写出时不同。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The template now writes an earlier message in another way than before.</source>
        <translation>模板现在以不同于之前的方式写出较早的一条消息。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The text is known, but no state was ever stored along it.</source>
        <translation>文本已知，但沿途从未存储过状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>A checkpoint was there, but had to make room before it was needed.</source>
        <translation>曾有检查点，但在需要之前不得不让出空间。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>Resuming from it would differ by rounding, which exact mode rules out.</source>
        <translation>从它恢复会有舍入差异，精确模式不允许。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was stored in fewer bits, and exact mode rules out the error of that.</source>
        <translation>它以较少的位数存储，精确模式不允许由此产生的误差。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>An audit found the checkpoint to be wrong, so it was not used.</source>
        <translation>审计发现该检查点有误，因此未使用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The checkpoint's file was damaged, so it was not used.</source>
        <translation>检查点的文件已损坏，因此未使用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The checkpoint was in a file that somebody deleted.</source>
        <translation>检查点所在的文件被人删除了。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The cache's files were computed by another model or version, so they are no use.</source>
        <translation>缓存文件由另一模型或版本计算，因此无法使用。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was read before, but in a run that stored nothing.</source>
        <translation>之前读过，但那次运行没有存储任何内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The engine reports no figures about its cache.</source>
        <translation>引擎不报告其缓存的数据。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>With more memory for the cache it would still have been there.</source>
        <translation>若缓存有更多内存，它本来还在。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It left the device, and host memory had no room for a copy.</source>
        <translation>它离开了设备，而主机内存没有空间存放副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It left memory, and the disk budget had no room for a copy.</source>
        <translation>它离开了内存，而磁盘预算没有空间存放副本。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It left memory before its file was written.</source>
        <translation>它在文件写入之前离开了内存。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>The checkpoint was not taken: all state slots were in use.</source>
        <translation>未能建立检查点：所有状态槽位都在使用中。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>No checkpoint fell on this stretch; with a shorter interval one would have.</source>
        <translation>这一段上没有检查点；间隔再短些就会有。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was deleted, cleared or dropped because someone asked.</source>
        <translation>因有人要求而被删除、清除或丢弃。</translation>
    </message>
    <message>
        <location filename="app/core/words/glossary.py"/>
        <source>It was stored or lost before this recording began.</source>
        <translation>它在此录制开始之前已存储或丢失。</translation>
    </message>
    <message>
        <location filename="app/core/words/joining.py"/>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <location filename="app/core/words/joining.py"/>
        <source>{name}: {told}</source>
        <translation>{name}：{told}</translation>
    </message>
    <message>
        <location filename="app/core/words/joining.py"/>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>must be true or false</source>
        <translation>必须为 true 或 false</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>must be a number from 0 to below 1</source>
        <translation>必须是 0 到小于 1 的数</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>must have a list of keys for each command</source>
        <translation>每个命令必须有按键列表</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>must be one of {values}</source>
        <translation>必须是 {values} 之一</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>a multiple of {step}</source>
        <translation>{step} 的倍数</translation>
    </message>
    <message>
        <location filename="app/core/words/kinds.py"/>
        <source>must be {multiple} from {least} to {most}</source>
        <translation>必须是 {least} 到 {most} 的{multiple}</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>the weights as stored</source>
        <translation>按存储格式的权重</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>“biplane bench quick” measures in two minutes which format suits this machine.</source>
        <translation>“biplane bench quick”可在两分钟内测出哪种格式适合本机。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>This conversation is with {name}, and {other} is open.</source>
        <translation>此对话使用 {name}，而当前打开的是 {other}。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>This conversation is with {name}.</source>
        <translation>此对话使用 {name}。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>How long opening it takes is not known yet</source>
        <translation>打开它需要多久尚不可知</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Choose int8: it answers {eight:.1f} times as fast as the stored weights, in {int8} of their memory, and predicts nearly the same</source>
        <translation>选择 int8：回答速度是存储格式权重的 {eight:.1f} 倍，内存为其 {int8}，预测几乎相同</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>{head}; if speed matters most choose int4, {more:.1f} times as fast again, but with answers that differ more.</source>
        <translation>{head}；若最看重速度则选 int4，再快 {more:.1f} 倍，但回答差异更大。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>{parameters:,.0f} million parameters</source>
        <translation>{parameters:,.0f} 百万参数</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Runs on kernels compiled for this processor ({kernels}).</source>
        <translation>使用为本处理器编译的内核运行（{kernels}）。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Your message waits until you choose.</source>
        <translation>您的消息会等到您选择为止。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>{opening}; {rest}.</source>
        <translation>{opening}；{rest}。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Open {name}</source>
        <translation>打开 {name}</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Go on with {name}</source>
        <translation>用 {name} 继续</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Choose {names}: nothing measured answers faster.</source>
        <translation>选择{names}：没有测得更快的格式。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Keep the weights as stored: in fewer bits answers would be no faster here, and int8 is for saving memory ({int8} of it).</source>
        <translation>保持权重的存储格式：在本机上减少位数不会更快，int8 仅用于节省内存（占其 {int8}）。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Choose int4 if speed matters most ({four:.1f} times the stored weights', with more changed answers); else keep them as stored, because int8 is no faster here.</source>
        <translation>若最看重速度则选 int4（为存储格式的 {four:.1f} 倍，但改变的回答更多）；否则保持存储格式，因为 int8 在本机上并不更快。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>{head}; int4 is no faster here and predicts less alike.</source>
        <translation>{head}；int4 在本机上并不更快，且预测差异更大。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>{head}; int4 is {more:.1f} times as fast again, but predicts less alike.</source>
        <translation>{head}；int4 再快 {more:.1f} 倍，但预测差异更大。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source> and {names:,} more</source>
        <translation> 以及另外 {names:,} 个</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Runs on {operators}; no compiled kernels are in use, so answers take longer.</source>
        <translation>使用{operators}运行；未使用编译的内核，因此回答较慢。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Runs on the GPU's kernels of {gpu}.</source>
        <translation>使用 {gpu} 的 GPU 内核运行。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Opening it takes {time}</source>
        <translation>打开它需要{time}</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>its {tokens} are expected back from the cache on disk</source>
        <translation>其 {tokens} 预计可从磁盘缓存恢复</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Measured on {date} with {size}: </source>
        <translation>测于 {date}，{size}：</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Missing files: {missing_files}; download them again.</source>
        <translation>缺少文件：{missing_files}；请重新下载。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>Missing tensors ({missing:,}): {missing2}.</source>
        <translation>缺少张量（{missing:,} 个）：{missing2}。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>{wrong:,} more tensors cannot be loaded as they are.</source>
        <translation>另有 {wrong:,} 个张量无法按现状加载。</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>its {tokens} have to be read again</source>
        <translation>其 {tokens} 需要重新读取</translation>
    </message>
    <message>
        <location filename="app/core/words/model_words.py"/>
        <source>its {tokens} have to be read again, {time}</source>
        <translation>其 {tokens} 需要重新读取，{time}</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>No model is open.</source>
        <translation>未打开模型。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>An earlier moment is on screen: go to the newest one to change the cache.</source>
        <translation>屏幕显示的是较早的时刻：请转到最新时刻再更改缓存。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>This is a trace file: nothing in it can be changed.</source>
        <translation>这是轨迹文件，其中的内容无法更改。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>This engine is only watched: nothing in it can be changed from here.</source>
        <translation>此引擎仅被观察：无法从这里更改其中的内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>The running answer reads it: wait until it is finished, or stop it.</source>
        <translation>运行中的回答正在读取它：请等待完成或停止回答。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>A line “system:”, “user:” or “assistant:” begins a message, which follows on that line or below it. Text before the first of these lines is a user message.</source>
        <translation>以“system:”“user:”或“assistant:”开头的行表示一条消息的开始，内容在该行或其下。第一个这样的行之前的文本为用户消息。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>There is no state here: make a checkpoint first.</source>
        <translation>此处没有状态：请先建立检查点。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Pin</source>
        <comment>in the cache</comment>
        <translation>固定</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>the start</source>
        <translation>开头</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Checkpoint here…</source>
        <translation>在此建立检查点…</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Warm this prefix</source>
        <translation>预热此前缀</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Copies this prefix and its state up to the device, so that the next prompt need not wait for it. May evict what is used less.</source>
        <translation>将此前缀及其状态复制到设备，下一个提示词就无需等待。可能会驱逐较少使用的内容。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>There is no host memory tier: give the cache some in the settings.</source>
        <translation>没有主机内存层：请在设置中为缓存分配主机内存。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Move to host</source>
        <translation>移到主机</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>There is no state on the device here.</source>
        <translation>此处设备上没有状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source> Nothing goes on from here, so its KV goes, too.</source>
        <translation>此后没有内容接续，因此其 KV 也会移除。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Drop state</source>
        <translation>丢弃状态</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>It is pinned: unpin it first.</source>
        <translation>它已固定：请先取消固定。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>There is nothing to warm: write at least one message.</source>
        <translation>没有可预热的内容：请至少写一条消息。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>A system message alone is not a prompt: add a user message, of one word if need be.</source>
        <translation>只有系统消息不能构成提示词：请添加一条用户消息，一个词也可以。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Unpin</source>
        <comment>in the cache</comment>
        <translation>取消固定</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Lets this state and its path be evicted like any other.</source>
        <translation>允许像其他内容一样驱逐此状态及其路径。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>An audit found this state wrong.</source>
        <translation>审计发现此状态有误。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Runs {ran} from {start} while no answer runs, and takes one state slot.</source>
        <translation>在没有回答运行时从{start}运行 {ran}，占用一个状态槽位。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>There is a state here already.</source>
        <translation>此处已有状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>It has a copy: warm it instead.</source>
        <translation>它有副本：请改为预热。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Stores the state after a token of this node that you choose. At the last one: </source>
        <translation>存储此节点中您所选 token 之后的状态。选最后一个时：</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>No other tier has a state of it that the device lacks.</source>
        <translation>其他层级没有设备所缺的状态。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>It or a node below it is pinned: unpin that first.</source>
        <translation>它或其下的节点已固定：请先取消固定。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>This removes {nodes} from every tier and frees {size}. It cannot be undone: what needs them computes {tokens} again.</source>
        <translation>这会从每一层移除 {nodes}，释放 {size}。此操作无法撤销：之后用到它们时要重新计算 {tokens}。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Keeps {tokens} and the state at their end in memory until you unpin them. Pins may hold half of the memory.</source>
        <translation>将 {tokens} 及其末尾的状态保留在内存中，直到您取消固定。固定内容最多占一半内存。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>the state at {above}</source>
        <translation>位置 {above} 处的状态</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Copies the state{size} and the KV below it to host memory and frees its slot on the device. Using it again costs a copy.</source>
        <translation>将状态{size}及其下的 KV 复制到主机内存，并释放设备上的槽位。再次使用需复制一次。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Frees the state's slot and leaves a tombstone: a prompt that comes back here runs {tokens} again.{goes}</source>
        <translation>释放状态的槽位并留下墓碑：回到此处的提示词需再次运行 {tokens}。{goes}</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>Removes {nodes}, this one and all below it, from every tier: {size}. Cannot be undone, only computed again.</source>
        <translation>从所有层级移除 {nodes}（此节点及其下全部）：{size}。无法撤销，只能重新计算。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>The {role} message in line {line:,} is empty: write its text, or remove the line.</source>
        <translation>第 {line:,} 行的 {role} 消息为空：请填写内容或删除该行。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_actions.py"/>
        <source>The system message in line {line:,} must be the first message: move it up.</source>
        <translation>第 {line:,} 行的系统消息必须是第一条消息：请上移。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_link.py"/>
        <source>This is not a link to a cached node: copy one from a node's details or its menu.</source>
        <translation>这不是缓存节点的链接：请从节点的详情或菜单中复制。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_link.py"/>
        <source>Tokens {start:,} to {end:,} of that chat are not in the cache at this moment: they were evicted, or have not been read.</source>
        <translation>该对话的 token {start:,} 至 {end:,} 此刻不在缓存中：已被驱逐，或尚未读取。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_link.py"/>
        <source>Went to tokens {start:,} to {end:,}.</source>
        <translation>已转到 token {start:,} 至 {end:,}。</translation>
    </message>
    <message>
        <location filename="app/core/words/node_link.py"/>
        <source>Went to the node at token {start:,}, which begins alike; the link's ended at token {end:,}.</source>
        <translation>已转到 token {start:,} 处开头相同的节点；链接所指的节点止于 token {end:,}。</translation>
    </message>
    <message>
        <location filename="app/core/words/remarks.py"/>
        <source>read {tokens} again: {clause}</source>
        <translation>重新读取了 {tokens}：{clause}</translation>
    </message>
    <message>
        <location filename="app/core/words/remarks.py"/>
        <source>read {tokens} again</source>
        <translation>重新读取了 {tokens}</translation>
    </message>
    <message>
        <location filename="app/core/words/remarks.py"/>
        <source>{time} saved: {tokens} were not read again</source>
        <translation>节省 {time}：{tokens} 无需重新读取</translation>
    </message>
    <message>
        <location filename="app/core/words/remarks.py"/>
        <source>{tokens} came from the cache and were not read again</source>
        <translation>{tokens} 来自缓存，无需重新读取</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>\n stands for a line break, \t for a tab, \\ for a backslash.</source>
        <translation>\n 表示换行，\t 表示制表符，\\ 表示反斜杠。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Changes apply from the next message.</source>
        <translation>更改从下一条消息起生效。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>The cost is shown once the answer is finished.</source>
        <translation>回答完成后显示开销。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Higher is more varied; 0 always takes the likeliest token.</source>
        <translation>越高越多样；0 总是取最可能的 token。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Keeps the likeliest tokens up to this probability; 1 keeps all.</source>
        <translation>保留累计概率不超过此值的最可能 token；1 表示全部保留。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Keeps this many of the likeliest tokens; 0 keeps all.</source>
        <translation>保留这么多最可能的 token；0 表示全部保留。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Drops tokens below this share of the likeliest one's probability.</source>
        <translation>丢弃概率低于最可能 token 此比例的 token。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Repetition</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Above 1, tokens that were seen become less likely.</source>
        <translation>大于 1 时，出现过的 token 可能性降低。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Presence</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Above 0, tokens of the answer so far become less likely.</source>
        <translation>大于 0 时，回答中已有的 token 可能性降低。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Max tokens</source>
        <translation>最大 token 数</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Longest answer, in tokens.</source>
        <translation>回答的最大长度，以 token 计。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>The same seed gives the same answer; empty takes a random one.</source>
        <translation>相同种子给出相同回答；留空则随机。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Stop at</source>
        <translation>停止词</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Ends the answer before any of these texts, one on each line.</source>
        <translation>在出现其中任一文本之前结束回答，每行一个。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Answer as JSON schema</source>
        <translation>按 JSON 模式回答</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Every answer is JSON that this schema allows; thinking comes before it as usual.</source>
        <translation>每个回答都是该模式允许的 JSON；思考照常在其之前。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>a JSON schema</source>
        <translation>一个 JSON 模式</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Reset to {value} ({source})</source>
        <translation>重置为 {value}（{source}）</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>{about}
Default: {value} ({source}).</source>
        <translation>{about}
默认：{value}（{source}）。</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>a system text is not applied yet</source>
        <translation>系统文本尚未应用</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Applying it re-reads {tokens}</source>
        <translation>应用它需重新读取 {tokens}</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source> instead of {now}</source>
        <translation>，而不是 {now}</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>, about {predicted_seconds}</source>
        <translation>，{predicted_seconds}</translation>
    </message>
    <message>
        <location filename="app/core/words/settings_words.py"/>
        <source>Settings: {names} changed</source>
        <translation>设置：已更改 {names}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>while writing</source>
        <translation>写回答时</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>where a conversation forked</source>
        <translation>对话分叉处</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>reused {reused}{dot}replayed {replayed}{dot}new {computed}</source>
        <translation>复用 {reused}{dot}重放 {replayed}{dot}新增 {computed}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>prompt and reuse not reported</source>
        <translation>未报告提示词与复用</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>reuse not reported</source>
        <translation>未报告复用</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>{count:.1f} tokens a step</source>
        <translation>每步 {count:.1f} 个 token</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>{share} of drafts kept</source>
        <translation>草稿保留 {share}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>from host memory</source>
        <translation>来自主机内存</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>from disk</source>
        <translation>来自磁盘</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>{tokens} in {total_s}</source>
        <translation>{tokens}，用时 {total_s}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>first token {first_token_s}</source>
        <translation>首个 token {first_token_s}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>expected {count}</source>
        <translation>预期 {count}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>prompt {count}</source>
        <translation>提示词 {count}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>reused {count}</source>
        <translation>复用 {count}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>new {count}</source>
        <translation>新增 {count}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>lookup {lookup_ms:.1f} ms{dot}restore {restore_ms:.1f} ms{dot}replay {replay_ms:,.0f} ms{dot}prefill {prefill_ms:,.0f} ms</source>
        <translation>查找 {lookup_ms:.1f} ms{dot}恢复 {restore_ms:.1f} ms{dot}重放 {replay_ms:,.0f} ms{dot}预填充 {prefill_ms:,.0f} ms</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>Resumed at {reused} from a state taken {words}: a cold run may differ by rounding</source>
        <translation>在 {reused} 处从{words}建立的状态恢复：与冷运行可能有舍入差异</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>An audit had checked the state it resumed from. {said}</source>
        <translation>审计已检查过它恢复所用的状态。{said}</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>{skipped} skipped: every state slot was in use</source>
        <translation>跳过 {skipped}：所有状态槽位都在使用</translation>
    </message>
    <message>
        <location filename="app/core/words/stats_line.py"/>
        <source>replayed {count}</source>
        <translation>重放 {count}</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Choose its node (Enter)</source>
        <translation>选中其节点 (Enter)</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>asked</source>
        <translation>按要求</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>while idle</source>
        <translation>空闲时</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>with a copy</source>
        <translation>随副本</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Audits</source>
        <translation>审计</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Quarantined</source>
        <translation>已隔离</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Found wrong, and never used again</source>
        <translation>发现有误，不再使用</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Drifted</source>
        <translation>已漂移</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Further off than rounding explains, but with the same next token</source>
        <translation>偏差超出舍入所能解释的范围，但下一个 token 相同</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Unclear</source>
        <translation>不确定</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Within what rounding can cause, too far to be sure</source>
        <translation>在舍入可能造成的范围内，但偏差较大无法确定</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Verified</source>
        <translation>已验证</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>As near to a cold run as its kind can be</source>
        <translation>与冷运行的接近程度已达其种类所能</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Not audited</source>
        <translation>未审计</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Nobody has looked at it yet</source>
        <translation>尚未查看过</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>There is no checkpoint.</source>
        <translation>没有检查点。</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>{audited} of {checkpoints} audited</source>
        <translation>已审计 {audited} / {checkpoints}</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The state at token {position} of node {id}</source>
        <translation>节点 {id} 在 token {position} 处的状态</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>no request</source>
        <translation>没有请求</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>is as near to a cold run as its kind can be</source>
        <translation>与冷运行的接近程度已达其种类所能</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>differs no more than rounding can explain, but too far to tell</source>
        <translation>偏差未超出舍入所能解释的范围，但较大而无法判断</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>differs more than rounding explains, but gives the same next token</source>
        <translation>偏差超出舍入所能解释的范围，但下一个 token 相同</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>was found wrong and is never used again</source>
        <translation>被发现有误，不再使用</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>{where} {meaning}.</source>
        <translation>{where}{meaning}。</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Audited</source>
        <translation>审计时间</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Tier</source>
        <translation>层级</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Written by</source>
        <translation>写入方式</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The largest relative difference from a cold run, in a state, a key, a value or a logit</source>
        <translation>与冷运行相比，状态、键、值或 logit 的最大相对差异</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Divergence of the next token's distribution from that of a cold run, in nats</source>
        <translation>下一个 token 的分布与冷运行相比的散度，单位 nat</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Used</source>
        <translation>使用</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Verify this node now</source>
        <translation>立即验证此节点</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Run its tokens cold and compare, as soon as nothing runs</source>
        <translation>一旦空闲就冷运行它的 token 并比较</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Verify all resumed from</source>
        <translation>验证所有恢复点</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Audit every checkpoint that a request resumed from and nobody has audited</source>
        <translation>审计每个曾有请求从中恢复而尚未审计的检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Stop verifying (Esc)</source>
        <translation>停止验证 (Esc)</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>, {wrong} quarantined</source>
        <translation>，{wrong} 个已隔离</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>{text} · verifying {asked} of {asked2}</source>
        <translation>{text} · 正在验证 {asked} / {asked2}</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>{text} · {wanted} resumed from and not audited</source>
        <translation>{text} · {wanted} 个曾用于恢复但未审计</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>{where} was never audited; {used} resumed from it.</source>
        <translation>{where}从未审计；有 {used}从它恢复。</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>How long before the moment on screen it was audited</source>
        <translation>审计发生在屏幕所示时刻之前多久</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The node at whose end it is, by its number on the device; nodes of other tiers have none</source>
        <translation>位于其末端的节点，以设备上的编号表示；其他层的节点没有编号</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The state is the one after so many tokens</source>
        <translation>状态位于这么多 token 之后</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The nearest tier that has it</source>
        <translation>拥有它的最近层级</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>How it was computed</source>
        <translation>它是如何计算的</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>What an audit found; empty if none has looked at it</source>
        <translation>审计结果；未审计则为空</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Asked for, or done while the engine was idle</source>
        <translation>按要求进行，或在引擎空闲时进行</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>How often a request resumed from it</source>
        <translation>有多少次请求从它恢复</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>Used 8</source>
        <translation>使用 8</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>How the node begins</source>
        <translation>节点的开头</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>What an audit found, or unaudited</source>
        <translation>审计的结果，或 unaudited（未审计）</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The node at whose end it is, by its number on the device</source>
        <translation>它位于哪个节点的末尾，以设备上的编号表示</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>The {wanted} used last are verified first</source>
        <translation>先验证最近使用的 {wanted} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/audit_panel.py"/>
        <source>{told}; {left} more remain.</source>
        <translation>{told}；还剩 {left} 个。</translation>
    </message>
    <message>
        <location filename="app/debugger/checkpoint_history.py"/>
        <source>History of the checkpoint</source>
        <translation>检查点的历史</translation>
    </message>
    <message>
        <location filename="app/debugger/checkpoint_history.py"/>
        <source>Go to this moment</source>
        <translation>转到这一时刻</translation>
    </message>
    <message>
        <location filename="app/debugger/checkpoint_history.py"/>
        <source>HISTORY</source>
        <translation>历史</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Nobody has used the server yet: File &gt; Start server lets other programs in.</source>
        <translation>还没有程序使用过服务器：“文件 &gt; 启动服务器”可让其他程序接入。</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>reading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>writing</source>
        <translation>书写中</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>It could have reused {tokens} more, at most, if they had stayed the same.</source>
        <translation>如果它们保持不变，最多还可复用 {tokens}。</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>A request says here why it did not reuse more. Enter explains it in full.</source>
        <translation>选中一个请求，这里会说明它为何没有复用更多；按 Enter 可查看完整解释。</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Reused</source>
        <translation>复用</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Replayed</source>
        <translation>重放</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Last seen</source>
        <translation>最后活动</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>First token</source>
        <translation>首个 token</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Programs that use the server</source>
        <translation>使用服务器的程序</translation>
    </message>
    <message>
        <location filename="app/debugger/clients_panel.py"/>
        <source>Requests of clients</source>
        <translation>客户端的请求</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Traces (*.jsonl *.jsonl.gz)</source>
        <translation>轨迹 (*.jsonl *.jsonl.gz)</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Open a second trace to compare it with this one, request by request: the same messages with another budget, say. It also appears on the timeline, below this one's tracks.</source>
        <translation>打开第二条轨迹，逐个请求与本轨迹比较，例如相同消息、不同预算。它也会显示在时间线上，位于本轨迹的轨道之下。</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>settings not known</source>
        <translation>设置未知</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Requests of both traces</source>
        <translation>两条轨迹的请求</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Compare with a trace…</source>
        <translation>与轨迹比较…</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Close the comparison</source>
        <translation>关闭比较</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Compare with a trace</source>
        <translation>与轨迹比较</translation>
    </message>
    <message>
        <location filename="app/debugger/compare_panel.py"/>
        <source>Reading {name}…</source>
        <translation>正在读取 {name}…</translation>
    </message>
    <message>
        <location filename="app/debugger/debugger.py"/>
        <source>That request is not in the record any more: a model was opened since.</source>
        <translation>该请求已不在记录中：此后又打开过模型。</translation>
    </message>
    <message>
        <location filename="app/debugger/events_panel.py"/>
        <source>The evictions of a file are in the Evictions panel.</source>
        <translation>文件中的驱逐见“驱逐”面板。</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>When it happened, from the beginning of the recording</source>
        <translation>发生时间，从记录开始算起</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Only the lines of the chosen node; once more for all (type node: and its number)</source>
        <translation>仅所选节点的行；再按一次显示全部（可输入 node: 加编号）</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Show before</source>
        <translation>显示之前</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Show the cache just before it was evicted, with its node chosen (Enter)</source>
        <translation>显示它被驱逐前一刻的缓存，并选中其节点 (Enter)</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Evictions</source>
        <translation>驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Regretted</source>
        <translation>误驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Needed again within that many requests, and on no other tier</source>
        <translation>在这么多个请求之内又需要它，而其他层级没有</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>No tier had a copy, but nobody needed it within that many requests</source>
        <translation>没有层级留有副本，但在这么多个请求之内无人需要</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Left a tier, but a better copy or one on a faster tier remained</source>
        <translation>离开了某一层级，但仍有更好的或更快层级上的副本</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>This node</source>
        <translation>此节点</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Only the lines of the chosen node</source>
        <translation>仅所选节点的行</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Nothing was evicted.</source>
        <translation>没有任何驱逐。</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{evictions} · {freed} · {share} regretted</source>
        <translation>{evictions} · {freed} · 误驱逐 {share}</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{count} evictions</source>
        <translation><numerusform>{count} 次驱逐</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{when}, {tokens} tok</source>
        <translation>{when}，{tokens} tok</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>It was needed {later} later{verdict}: with it, {tokens} fewer would have run.</source>
        <translation>{later}之后又需要它{verdict}：若它还在，可少运行 {tokens}。</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{rank} of {among}</source>
        <translation>{rank} / {among}</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>How long it had been stored</source>
        <translation>已存储多久</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Unused</source>
        <translation>未用时长</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>How long it had not been used</source>
        <translation>多久未被使用</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Needed again</source>
        <translation>再次需要</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Regretted if needed again within this many requests</source>
        <translation>若在这么多个请求之内又需要，则计为误驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>regretted within</source>
        <translation>判定范围</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Copy CSV</source>
        <translation>复制 CSV</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Copy the selected lines, or all of them, as CSV</source>
        <translation>将所选行或全部行复制为 CSV</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Show request</source>
        <translation>显示请求</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Choose the request that missed what it took, and why it ran</source>
        <translation>选中因它的驱逐而未命中的请求，并显示其原因</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{short}, which cost {tokens}</source>
        <translation>{short}，代价为 {tokens}</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{total} · {share} regretted</source>
        <translation>{total} · 误驱逐 {share}</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{after} later</source>
        <translation>{after} 个之后</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>, which is more than {within} and counts as none</source>
        <translation>，超过 {within} 个，不计入</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>The node's number on the tier that it left</source>
        <translation>节点在其离开的层级上的编号</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Its place by last use among those of its kind on that tier: 1 was unused the longest. A policy other than lru may let another go first</source>
        <translation>在该层级同类中按最近使用排列的名次：1 表示最久未用。lru 以外的策略可能先淘汰其他的</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>The first request that had to run its tokens again: how many requests later, and how many tokens a copy of it would have saved</source>
        <translation>首个不得不重新运行其 token 的请求：隔了多少个请求，以及若有副本可省多少 token</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>How it begins, where that is known</source>
        <translation>它的开头（若已知）</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>Tokens that a copy of it would have saved the first request that needed it</source>
        <translation>若有副本，首个需要它的请求可省去的 token 数</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>How many requests later it was needed again</source>
        <translation>多少个请求之后又需要它</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>requests</source>
        <translation>个请求</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{lines} copied as CSV.</source>
        <translation>已将 {lines}复制为 CSV。</translation>
    </message>
    <message>
        <location filename="app/debugger/evictions_panel.py"/>
        <source>{more} earlier ones are not listed</source>
        <translation>更早的 {more} 个未列出</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Nothing has been watched yet; send a message, or open a trace.</source>
        <translation>还没有观察到任何内容；请发送消息或打开轨迹。</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>evicted, no copy left</source>
        <translation>已驱逐，无副本</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>copied to another tier</source>
        <translation>已复制到其他层级</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Save a picture, a table or the trace</source>
        <translation>保存图片、表格或轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Picture of</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Table as CSV</source>
        <translation>表格 (CSV)</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Requests…</source>
        <translation>请求…</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Evictions…</source>
        <translation>驱逐…</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Comparison…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Trace as JSON lines…</source>
        <translation>轨迹 (JSON lines)…</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Timeline for Perfetto or Chrome…</source>
        <translation>用于 Perfetto 或 Chrome 的时间线…</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Save trace</source>
        <translation>保存轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Save the trace without the text of the conversations?</source>
        <translation>保存轨迹时不包含对话文本？</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Without it, token ids are written as hashes: everything about the cache can be looked at, but nothing of what was said.</source>
        <translation>不包含文本时，token id 以哈希写入：可以查看缓存的一切，但看不到所说的内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Include token ids and text</source>
        <translation>包含 token id 和文本</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>KV of the tree</source>
        <translation>树的 KV</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>KV of requests</source>
        <translation>请求的 KV</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>states of the tree</source>
        <translation>树的状态</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>states of requests</source>
        <translation>请求的状态</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>Entry {index} of {tape}, {since} after the first</source>
        <translation>第 {index} 条，共 {tape} 条，距首条 {since}</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source> of {name}</source>
        <translation>（{name}）</translation>
    </message>
    <message>
        <location filename="app/debugger/export/menu.py"/>
        <source>{lines:,} lines were saved to {name}.</source>
        <translation>已将 {lines:,} 行保存到 {name}。</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Invariants</source>
        <translation>不变量</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>holds</source>
        <translation>成立</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>violated</source>
        <translation>被违反</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>INVARIANTS OF THE ENGINE</source>
        <translation>引擎的不变量</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>A recording has no engine whose invariants could be checked.</source>
        <translation>记录中没有引擎，无从检查不变量。</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>SUMS AT THE MOMENT ON SCREEN</source>
        <translation>屏幕所示时刻的合计</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Check now</source>
        <translation>立即检查</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Check every invariant of the engine</source>
        <translation>检查引擎的每项不变量</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Save a dump…</source>
        <translation>保存转储…</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Save what is violated, with the whole cache</source>
        <translation>保存被违反的内容及整个缓存</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>What the debugger itself costs, while it is on screen</source>
        <translation>调试器显示时自身的开销</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Invariants and sums</source>
        <translation>不变量与合计</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>Save a dump</source>
        <translation>保存转储</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>This debugger: {cost}</source>
        <translation>此调试器：{cost}</translation>
    </message>
    <message>
        <location filename="app/debugger/invariants_panel.py"/>
        <source>The dump was saved in {path}.</source>
        <translation>转储已保存到 {path}。</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Delete layout</source>
        <translation>删除布局</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Save layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Name of the layout</source>
        <translation>布局名称</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Layout “{name}” saved.</source>
        <translation>已保存布局“{name}”。</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Layout “{name}” deleted.</source>
        <translation>已删除布局“{name}”。</translation>
    </message>
    <message>
        <location filename="app/debugger/layouts.py"/>
        <source>Save layout…</source>
        <translation>保存布局…</translation>
    </message>
    <message>
        <location filename="app/debugger/linking.py"/>
        <source>That message is not in the cache: it has not run yet, or was evicted.</source>
        <translation>该消息不在缓存中：尚未运行，或已被驱逐。</translation>
    </message>
    <message>
        <location filename="app/debugger/linking.py"/>
        <source>Those tokens belong to no message of a conversation.</source>
        <translation>这些 token 不属于任何对话的消息。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>There when the recording began</source>
        <translation>记录开始时已存在</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Stored</source>
        <translation>存储</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Audited: {named}</source>
        <translation>审计：{named}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Copied to {place}</source>
        <translation>已复制到{place}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Moved to {other}</source>
        <translation>已移到{other}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Promoted from {other}</source>
        <translation>已从{other}提升</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Replaced by a better one</source>
        <translation>已被更好的取代</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Evicted from {place}</source>
        <translation>已从{place}驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Lost from {place}</source>
        <translation>已从{place}丢失</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Removed from {place}</source>
        <translation>已从{place}移除</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>not used any more</source>
        <translation>不再使用</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>a copy remained</source>
        <translation>仍有副本</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>no other tier had it</source>
        <translation>其他层级没有副本</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>{event} ({more}).</source>
        <translation>{event}（{more}）。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/chapters.py"/>
        <source>Request {request} resumed from it</source>
        <translation>请求 {request} 从它恢复</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>The two traces have no request in common.</source>
        <translation>两条轨迹没有共同的请求。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>mean </source>
        <translation>平均</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>The two traces do not have the same prompt here.</source>
        <translation>两条轨迹在此处的提示词不同。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>{requests} differ in the prompt.</source>
        <translation>{requests}的提示词不同。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>policy {policy}, {mode}</source>
        <translation>策略 {policy}，{mode}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>a checkpoint every {interval:,} tokens, {decode_interval:,} in answers</source>
        <translation>每 {interval:,} 个 token 一个检查点，回答中每 {decode_interval:,} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>device {device_bytes}</source>
        <translation>设备 {device_bytes}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/comparing.py"/>
        <source>host {host_bytes}</source>
        <translation>主机 {host_bytes}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/entry_place.py"/>
        <source>That node is not in the cache any more; what is left of the way to it is chosen. Double-click the event to go to just before.</source>
        <translation>该节点已不在缓存中；已选中通往它的剩余路径。双击事件可转到它之前的时刻。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/entry_place.py"/>
        <source>That node is not in the cache yet at this moment; what it continues is chosen.</source>
        <translation>该节点此刻尚未进入缓存；已选中它所接续的节点。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/layouts.py"/>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/layouts.py"/>
        <source>“{name}” comes with the program: choose another name.</source>
        <translation>“{name}”是程序自带的：请换一个名称。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/layouts.py"/>
        <source>“{name}” is replaced.</source>
        <translation>将替换“{name}”。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>This engine</source>
        <translation>此引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>The first entry was</source>
        <translation>首条记录已</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>{entries} forgotten</source>
        <translation>{entries}被遗忘</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>{first} forgotten to bound the memory that the record takes.</source>
        <translation>{first}遗忘，以限制记录占用的内存。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>That moment is forgotten: the record goes back to entry {first:,} of {tape:,}, which is shown instead.</source>
        <translation>该时刻已被遗忘：记录最早到第 {first:,} 条（共 {tape:,} 条），改为显示该条。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>The first {entries:,} entries were</source>
        <translation>最早的 {entries:,} 条记录已</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>{tape:,} entries</source>
        <translation>{tape:,} 条记录</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>without texts</source>
        <translation>无文本</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>its first {tape:,} entries are shown</source>
        <translation>仅显示前 {tape:,} 条</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>{name} was not read to its end: {read}.</source>
        <translation>{name} 未读完：{read}。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>The last line of {name} is incomplete and was skipped.</source>
        <translation>{name} 的最后一行不完整，已跳过。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>{name} is very long: its first {first:,} entries are not shown.</source>
        <translation>{name} 很长：最前面的 {first:,} 条未显示。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/source.py"/>
        <source>recorded {when}</source>
        <translation>记录于 {when}</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Every node begins where its parent ends, has tokens and as many KV slots, and begins with another token than its siblings</source>
        <translation>每个节点从父节点结束处开始，含有 token 及同样多的 KV 槽位，且与兄弟节点的首个 token 不同</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Every KV slot of the tree belongs to one node, and every cached slot to a node</source>
        <translation>树的每个 KV 槽位只属于一个节点，每个已缓存槽位都属于某个节点</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Free, live and cached KV slots are all there are, and the free ones are listed</source>
        <translation>KV 槽位只有空闲、活动、已缓存三类，且空闲的都在列表中</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Every cached state slot is the checkpoint of one node; with the free and live ones they are all there are</source>
        <translation>每个已缓存的状态槽位是一个节点的检查点；加上空闲和活动的即为全部</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Every lock count is the number of locks held there, and KV is locked wherever a state is</source>
        <translation>每个锁计数等于该处持有的锁数，且凡状态被锁处 KV 也被锁</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>No leaf that nobody holds is a tombstone, whose KV no state could use</source>
        <translation>无人占用的叶节点都不是墓碑（其 KV 无状态可用）</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>tree</source>
        <translation>树</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>KV owners</source>
        <translation>KV 归属</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>KV pool</source>
        <translation>KV 池</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>locks</source>
        <translation>锁</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>tombstones</source>
        <translation>墓碑</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/logic/sums.py"/>
        <source>{count} moments</source>
        <translation><numerusform>{count} 个时刻</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>all of them add up</source>
        <translation>全部吻合</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Nothing has been checked yet.</source>
        <translation>尚未检查。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>The tokens of all nodes on the device are its cached KV slots</source>
        <translation>设备上所有节点的 token 即其已缓存的 KV 槽位</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>locked KV</source>
        <translation>锁定的 KV</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>The tokens of all locked nodes are the locked KV slots</source>
        <translation>所有锁定节点的 token 即锁定的 KV 槽位</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>The checkpoints on the device are its cached state slots</source>
        <translation>设备上的检查点即其已缓存的状态槽位</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>slots apart</source>
        <translation>槽位互异</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>No two checkpoints share a slot</source>
        <translation>没有两个检查点共用槽位</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Bytes of the KV plane are those of its slots</source>
        <translation>KV 平面的字节数等于其槽位的字节数</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Bytes of the state plane are those of its slots</source>
        <translation>状态平面的字节数等于其槽位的字节数</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>planes bar</source>
        <translation>平面条</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>The parts of the planes bar are all that the engine holds</source>
        <translation>平面条的各部分即引擎占用的全部</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>cached bytes</source>
        <translation>已缓存字节</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>What the planes bar shows as cached is what the pools hold for the tree</source>
        <translation>平面条显示的已缓存部分即各池为树保存的内容</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Violated: {violated}.</source>
        <translation>被违反：{violated}。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>This moment does not add up: {wrong}.</source>
        <translation>此刻的数目不吻合：{wrong}。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>All {checked} invariants hold, checked in {took:.1f} ms.</source>
        <translation>全部 {checked} 项不变量成立，检查用时 {took:.1f} ms。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>{bad:,} did not add up</source>
        <translation>{bad:,} 个不吻合</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>{seen} seen, {sure}.</source>
        <translation>看过 {seen}，{sure}。</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>host KV</source>
        <translation>主机 KV</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>host state</source>
        <translation>主机状态</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>{name} slots</source>
        <translation>{name} 槽位</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>Free, live and cached {name} slots are all slots of the pool</source>
        <translation>空闲、活动和已缓存的 {name} 槽位即该池的全部槽位</translation>
    </message>
    <message>
        <location filename="app/debugger/logic/sums.py"/>
        <source>{figures} here</source>
        <translation>此处 {figures}</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Choose a node in the tree to see its text, its facts and its actions.</source>
        <translation>在树中选择一个节点，即可查看其文本、信息和操作。</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>The chosen node is not in the cache at this moment.</source>
        <translation>所选节点此刻不在缓存中。</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Between messages</source>
        <translation>消息之间</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>the system text ends here</source>
        <translation>系统文本在此结束</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>a user message starts here</source>
        <translation>用户消息从此开始</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>the next turn leaves out the thinking after it</source>
        <translation>下一轮会略去其后的思考内容</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>an answer starts here</source>
        <translation>回答从此开始</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>a tool call starts here</source>
        <translation>工具调用从此开始</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>one at every interval</source>
        <translation>每个间隔一个</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>a prompt branched off here</source>
        <translation>有提示词在此分支</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>a prompt ends here</source>
        <translation>提示词在此结束</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>an answer ends here</source>
        <translation>回答在此结束</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>a prompt was stopped here</source>
        <translation>提示词在此停止</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>you asked for it</source>
        <translation>应您的要求</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Read messages into the cache before anybody sends them</source>
        <translation>在有人发送之前就将消息读入缓存</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Result of the last action</source>
        <translation>上一个操作的结果</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Stop computing; what waits is dropped, too</source>
        <translation>停止计算，等待中的也一并取消</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Also on</source>
        <translation>也在</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Why it is kept</source>
        <translation>保留原因</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>yes: no policy evicts it</source>
        <translation>是：任何策略都不会驱逐它</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>{kept} of {read} drafted tokens kept, in {requests}</source>
        <translation>{read} 个草稿 token 中保留 {kept} 个，涉及 {requests}</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Drafts read here</source>
        <translation>从这里读取的草稿</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>There is nothing to undo in the cache.</source>
        <translation>缓存中没有可撤销的操作。</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>ACTIONS</source>
        <translation>操作</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>FACTS</source>
        <translation>信息</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Copy the text of the node</source>
        <translation>复制节点文本</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Copy JSON</source>
        <translation>复制 JSON</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Copy everything known of the node as JSON</source>
        <translation>将节点的全部已知信息复制为 JSON</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Copy a link that leads here after a restart, too</source>
        <translation>复制重启后仍可指向此处的链接</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Cuts</source>
        <translation>切点</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>{tokens} from {source}</source>
        <translation>{tokens}取自{source}</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>Drafted</source>
        <translation>来自草稿</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>{position}: “{drafted}”, not “{instead}”</source>
        <translation>{position}：草稿为“{drafted}”，实际为“{instead}”</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>and {count} more</source>
        <translation>以及另外 {count} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/node_panel.py"/>
        <source>{what} of the node copied.</source>
        <translation>已复制节点的{what}。</translation>
    </message>
    <message>
        <location filename="app/debugger/planes_panel.py"/>
        <source>Open a model or a trace to see what takes the device's memory.</source>
        <translation>打开模型或轨迹，即可查看设备内存的占用情况。</translation>
    </message>
    <message>
        <location filename="app/debugger/planes_panel.py"/>
        <source>Planes</source>
        <translation>平面</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/remote/logic/source.py"/>
        <source>{count} blocks</source>
        <translation><numerusform>{count} 个块</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/source.py"/>
        <source>{n} engines</source>
        <translation>{n} 个引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>which recurrent states it has</source>
        <translation>它有哪些循环状态</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>what is locked</source>
        <translation>哪些被锁定</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>when and how often something was used</source>
        <translation>何时使用及使用频率</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>how large its pools are</source>
        <translation>各池有多大</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>which requests it was sent</source>
        <translation>收到了哪些请求</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>no other engine</source>
        <translation>没有其他引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>The engine does not tell {named}.</source>
        <translation>引擎未告知{named}。</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{label} lost {lost} batches that could not be had again: {doubtful} of its {blocks} blocks were not heard of since and may be gone. They are drawn with a dashed edge.</source>
        <translation>{label} 丢失了 {lost} 个无法再取得的批次：其 {blocks} 个块中有 {doubtful} 个此后再无消息，可能已不存在，以虚线边框画出。</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{label} had sent {late} batches before the first that could be had: what was stored then is not known, and {unplaced} blocks that follow it are counted, not drawn.</source>
        <translation>{label} 在可取得的首个批次之前已发送 {late} 个批次：当时存储的内容未知，其后的 {unplaced} 个块只计数，不画出。</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{blank} of the blocks of {label} are from the indexer's dump, which does not tell their tokens: no prompt can be compared with them, so more may be reused than is expected.</source>
        <translation>{label} 的块中有 {blank} 个来自索引器的转储，转储不含它们的 token：提示词无法与之比较，因此实际复用可能多于预期。</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{label} to token {held}</source>
        <translation>{label}（到第 {held} 个 token）</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{words} and {n} more</source>
        <translation>{words}，以及另外 {n} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{n} lost</source>
        <translation>{n}丢失</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{n} in doubt</source>
        <translation>{n}存疑</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{n} without their beginning</source>
        <translation>{n}缺少开头</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{n} not understood</source>
        <translation>{n}无法理解</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>busy: {n} not listed</source>
        <translation>繁忙：{n}未列出</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{count} inferred requests</source>
        <translation><numerusform>{count} 个推断的请求</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>drawn {t} late, no event is left out</source>
        <translation>延迟 {t} 画出，没有遗漏事件</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/remote/logic/words.py"/>
        <source>{count} batchs</source>
        <translation><numerusform>{count} 个批次</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>no engine</source>
        <translation>没有引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Chosen prefix</source>
        <translation>所选前缀</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Tokens a block</source>
        <translation>每块 token 数</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>In doubt</source>
        <translation>存疑</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Not drawn</source>
        <translation>未画出</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Batches lost</source>
        <translation>丢失批次</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Sent again</source>
        <translation>重发</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Not understood</source>
        <translation>无法理解</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>The chosen prefix of {n} is whole on {where}</source>
        <translation>所选的 {n} 前缀在 {where} 上完整</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>Engines that run elsewhere</source>
        <translation>在别处运行的引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>No engine elsewhere is watched yet: biplane view --events begins that.</source>
        <translation>尚未观察别处的引擎：用 biplane view --events 开始。</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>, and in part on {n}</source>
        <translation>，在{n}上部分存在</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/remote/panel.py"/>
        <source>{count} others</source>
        <translation><numerusform>另外 {count} 个</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>told</source>
        <translation>已告知</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>{n} of layers with a window are counted, not drawn.</source>
        <translation>窗口层的 {n}只计数，不画出。</translation>
    </message>
    <message>
        <location filename="app/debugger/remote/panel.py"/>
        <source>{n} of tiers beyond device and host are counted, not drawn.</source>
        <translation>设备与主机之外层级的 {n}只计数，不画出。</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>What the debugger shows</source>
        <translation>调试器显示的内容</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>● Recording a trace</source>
        <translation>● 正在记录轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Reading the trace</source>
        <translation>正在读取轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Open demo trace</source>
        <translation>打开演示轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Open trace…</source>
        <translation>打开轨迹…</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Back to this engine</source>
        <translation>返回此引擎</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>No model is open. A trace can be looked at without one.</source>
        <translation>未打开模型。不打开模型也能查看轨迹。</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Close trace</source>
        <translation>关闭轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/source_bar.py"/>
        <source>Reading {name}</source>
        <translation>正在读取 {name}</translation>
    </message>
    <message>
        <location filename="app/debugger/state.py"/>
        <source>{frame_ms:.1f} ms a frame · {share:.1f}% of the time</source>
        <translation>每帧 {frame_ms:.1f} ms · 占时间的 {share:.1f}%</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/frame.py"/>
        <source>KV, states hatched</source>
        <translation>KV，斜线为状态</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/frame.py"/>
        <source>rejected hatched</source>
        <translation>被拒绝的为斜线</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/frame.py"/>
        <source>top {most}</source>
        <translation>最高 {most}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/frame.py"/>
        <source>{lasted} idle</source>
        <translation>空闲 {lasted}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/frame.py"/>
        <source>budget {budget}</source>
        <translation>预算 {budget}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>KV in files</source>
        <translation>文件中的 KV</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>states and the rest of the files</source>
        <translation>文件中的状态及其余</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>not known: nobody looked</source>
        <translation>未知：没有人查看过</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Request {request} missed what {evictions} took.</source>
        <translation>请求 {request} 未命中由 {evictions}带走的内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Requests ended</source>
        <translation>已结束的请求</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Tokens replayed</source>
        <translation>重放的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Tokens new</source>
        <translation>新增的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Prompt tokens between</source>
        <translation>其间的提示词 token</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Tokens written between</source>
        <translation>其间写出的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Evictions between</source>
        <translation>其间的驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{kept:,} of {drafted:,} drafted tokens kept; {passes:,} passes of the model</source>
        <translation>{drafted:,} 个草稿 token 中保留 {kept:,} 个；模型运行 {passes:,} 次</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Request {number} · {session}</source>
        <translation>请求 {number} · {session}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Request {request} missed what it took.</source>
        <translation>请求 {request} 未命中它带走的内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{numbers:,} events</source>
        <translation>{numbers:,} 个事件</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>At {clock}</source>
        <translation>{clock}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>No copy was kept.</source>
        <translation>未保留副本。</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Nothing is known of that time.</source>
        <translation>该时段没有信息。</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>: KV {kv}, states {state}</source>
        <translation>：KV {kv}，状态 {state}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{capitalize}: {total} in use</source>
        <translation>{capitalize}：使用中 {total}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>At {clock}, took {span}</source>
        <translation>{clock}，用时 {span}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Prompt of {tokens}: {reused:,} reused, {replayed:,} replayed, {computed:,} new{prefill}</source>
        <translation>提示词 {tokens}：复用 {reused:,}，重放 {replayed:,}，新增 {computed:,}{prefill}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Answer of {tokens}{decode}</source>
        <translation>回答 {tokens}{decode}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>and {kinds}</source>
        <translation>以及{kinds}</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{count} more kinds</source>
        <translation><numerusform>另有 {count} 种</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{freed} freed</source>
        <translation>释放 {freed}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>From {first} to {last}</source>
        <translation>从 {first} 到 {last}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Node {node} of the {tier}</source>
        <translation>{tier}的节点 {node}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{n} of {of}</source>
        <translation>{n} / {of}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{what} freed</source>
        <translation>已释放 {what}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>{tier} bytes</source>
        <translation>{tier}字节</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Budget {budget}</source>
        <translation>预算 {budget}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Peak, {tier}</source>
        <translation>峰值，{tier}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>A copy is on the {copy} tier.</source>
        <translation>{copy}层有副本。</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Drafts kept</source>
        <translation>保留的草稿</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/cards.py"/>
        <source>Bytes, {tier}</source>
        <translation>字节，{tier}</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/events.py"/>
        <source>Skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/events.py"/>
        <source>Replaced</source>
        <translation>替换</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/events.py"/>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/events.py"/>
        <source>Resized</source>
        <translation>调整大小</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/events.py"/>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/scene.py"/>
        <source>Earlier conversations</source>
        <translation>更早的对话</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/tracks.py"/>
        <source>Prompt tokens</source>
        <translation>提示词 token</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/tracks.py"/>
        <source>Device bytes</source>
        <translation>设备字节</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/tracks.py"/>
        <source>Host bytes</source>
        <translation>主机字节</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/tracks.py"/>
        <source>Disk bytes</source>
        <translation>磁盘字节</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/tracks.py"/>
        <source>Cache events</source>
        <translation>缓存事件</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/logic/tracks.py"/>
        <source>Tokens per second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Nothing has happened yet. Send a message, and its request appears here.</source>
        <translation>还没有任何活动。发送一条消息，其请求就会显示在这里。</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Aligned at the start</source>
        <translation>按开始时刻对齐</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Aligned by request</source>
        <translation>按请求对齐</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Aligned by time of day</source>
        <translation>按实际时间对齐</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Markers A and B</source>
        <translation>标记 A 与 B</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Figures of the selection</source>
        <translation>所选部分的数据</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Copy the figures</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Clear the selection (Esc)</source>
        <translation>清除选择 (Esc)</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Shorten pauses</source>
        <translation>缩短停顿</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Draw each pause between two requests as a quarter of a second</source>
        <translation>将两个请求之间的每次停顿画成四分之一秒</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>How the two traces are aligned</source>
        <translation>两条轨迹的对齐方式</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>SELECTION</source>
        <translation>选区</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Show everything (F)</source>
        <translation>显示全部 (F)</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Zoom in (W)</source>
        <translation>放大 (W)</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Zoom out (S)</source>
        <translation>缩小 (S)</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Interval</source>
        <translation>间隔</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/panel.py"/>
        <source>Computing the tracks: {behind:,} entries to go</source>
        <translation>正在计算轨道：还剩 {behind:,} 条</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/view.py"/>
        <source>timeline: zoom, move, show all</source>
        <translation>时间线：缩放、移动、显示全部</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/view.py"/>
        <source>timeline: previous, next, track above, below</source>
        <translation>时间线：上一个、下一个、上方轨道、下方轨道</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/view.py"/>
        <source>timeline: go to the chosen event, fold the track</source>
        <translation>时间线：转到所选事件、折叠轨道</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/view.py"/>
        <source>timeline: marker A, marker B at the playhead</source>
        <translation>时间线：在播放头处设标记 A、标记 B</translation>
    </message>
    <message>
        <location filename="app/debugger/timeline/view.py"/>
        <source>timeline: begin, end, clear the interval</source>
        <translation>时间线：开始、结束、清除区间</translation>
    </message>
    <message>
        <location filename="app/debugger/traces.py"/>
        <source>Traces (*.jsonl *.jsonl.gz);;All files (*)</source>
        <translation>轨迹 (*.jsonl *.jsonl.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <location filename="app/debugger/traces.py"/>
        <source>Open trace</source>
        <translation>打开轨迹</translation>
    </message>
    <message>
        <location filename="app/debugger/traces.py"/>
        <source>Reading the trace was cancelled.</source>
        <translation>已取消读取轨迹。</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>One request back</source>
        <translation>后退一个请求</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>One entry back</source>
        <translation>后退一条</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>One entry forward</source>
        <translation>前进一条</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>One request forward</source>
        <translation>前进一个请求</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>To the next eviction</source>
        <translation>到下一次驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>debugger: play or pause (timeline: Space)</source>
        <translation>调试器：播放或暂停（时间线：空格）</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>debugger: one entry back, forward (timeline: [ ])</source>
        <translation>调试器：后退、前进一条（时间线：[ ]）</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>debugger: one request back, forward (timeline: { })</source>
        <translation>调试器：后退、前进一个请求（时间线：{ }）</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>debugger: next, previous eviction (timeline: N, Shift+N)</source>
        <translation>调试器：下一次、上一次驱逐（时间线：N、Shift+N）</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>debugger: to the start, to the newest (timeline: Home, L)</source>
        <translation>调试器：到开头、到最新（时间线：Home、L）</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>Playback</source>
        <translation>回放</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>How fast it plays; pauses pass as quickly as they are drawn</source>
        <translation>播放速度；停顿按所画长度通过</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>before the newest</source>
        <translation>，相对最新</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>before the end</source>
        <translation>，相对结尾</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>Return to now</source>
        <translation>返回现在</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>End</source>
        <translation>结尾</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>The earliest moment kept</source>
        <translation>保留的最早时刻</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>entry {index} of {total}</source>
        <translation>第 {index} 条，共 {total} 条</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>There is no eviction after this moment.</source>
        <translation>此刻之后没有驱逐。</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>There is no eviction before this moment.</source>
        <translation>此刻之前没有驱逐。</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>The earliest moment kept: entry {index}</source>
        <translation>保留的最早时刻：第 {index} 条</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>In the past: {ago} {before}, {place}</source>
        <translation>过去：{ago} 前{before}，{place}</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>{ago} {before}, {place}</source>
        <translation>{ago} 前{before}，{place}</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>{ago} ago, {place}</source>
        <translation>{ago} 前，{place}</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>{ago} ago</source>
        <translation>{ago} 前</translation>
    </message>
    <message>
        <location filename="app/debugger/transport_bar.py"/>
        <source>End of {name}</source>
        <translation>结尾：{name}</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Nothing is cached at this moment. The tree grows from the first request on.</source>
        <translation>此刻没有任何缓存。从第一个请求起，树便开始生长。</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Find a text, token, position or hash</source>
        <translation>查找文本、token、位置或哈希</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Find in the tree</source>
        <translation>在树中查找</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Fold long chains and wide fans into chips (Z)</source>
        <translation>将长链和宽扇形折叠起来 (Z)</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>Marks</source>
        <translation>标记</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>What the marks mean, and filter by them</source>
        <translation>标记的含义，并按标记筛选</translation>
    </message>
    <message>
        <location filename="app/debugger/tree_panel.py"/>
        <source>also on {engines}</source>
        <translation>也在：{engines}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/curve.py"/>
        <source>{value}: {reused:.1%} reused, {replayed:.1%} replayed</source>
        <translation>{value}：复用 {reused:.1%}，重放 {replayed:.1%}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/curve.py"/>
        <source>Reuse by {label}</source>
        <translation>复用率与{label}的关系</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>decode interval</source>
        <translation>解码间隔</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>device budget</source>
        <translation>设备预算</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>state share</source>
        <translation>状态占比</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>host budget</source>
        <translation>主机预算</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>disk budget</source>
        <translation>磁盘预算</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Rejected drafts</source>
        <translation>被拒绝的草稿</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Drafted tokens that were not the answer's</source>
        <translation>没有成为回答的草稿 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>The recording has requests only, so there is nothing to compare with.</source>
        <translation>记录中只有请求，没有可比较的内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>With unchanged settings the replay reuses exactly what was recorded.</source>
        <translation>设置不变时，重放所复用的与记录完全一致。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>The recording does not begin with an empty cache.</source>
        <translation>记录并非从空缓存开始。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>These settings would have reused the same tokens.</source>
        <translation>用这些设置会复用同样的 token。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>{count} more tokens would have been reused</source>
        <translation><numerusform>会多复用 {count} 个 token</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Share of all prompt tokens that no request had to run</source>
        <translation>所有提示词 token 中无需运行的比例</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Remembered for the next start of this model: {told}.</source>
        <translation>已为此模型的下次启动记住：{told}。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>{said} A value on the command line goes before it.</source>
        <translation>{said}命令行中的值优先。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Replayed tokens</source>
        <translation>重放的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Tokens whose keys and values were there, but no state to go on from</source>
        <translation>键和值已有、但没有可接续状态的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>New tokens</source>
        <translation>新的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Tokens that no tier knew</source>
        <translation>任何层级都没有的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Replay time</source>
        <translation>重放时间</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>What running the replayed tokens takes at the measured speed</source>
        <translation>按实测速度运行重放 token 所需的时间</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Mean time to the first token, at the measured speed</source>
        <translation>按实测速度，到首个 token 的平均时间</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Reserved</source>
        <translation>预留</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Device memory for both planes</source>
        <translation>两个平面的设备内存</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Used at most</source>
        <translation>最大用量</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>The most that the tree on the device ever held</source>
        <translation>设备上的树曾达到的最大占用</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Nodes and checkpoints that left the device; more of them are no loss by themselves</source>
        <translation>离开设备的节点和检查点；数量多本身并非损失</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Not stored</source>
        <translation>未存储</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Checkpoints for which no slot was free</source>
        <translation>因没有空闲槽位而未存的检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Decode steps</source>
        <translation>解码步数</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Passes of the model that wrote the answers; a kept draft saves some</source>
        <translation>写出回答所需的模型运行次数；保留的草稿会省去一些</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Writing time</source>
        <translation>写作时间</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>What these passes take at the shortest measured for their numbers of rows</source>
        <translation>按各行数测得的最短时间计算，这些运行所需的时间</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>With unchanged settings {count} would reuse other tokens than recorded. {why}</source>
        <translation>设置不变时，{count}会复用与记录不同的 token。{why}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>The answers would have taken {now} passes of the model instead of {was}.</source>
        <translation>这些回答会需要模型运行 {now} 次，而不是 {was} 次。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>{count} fewer tokens would have been reused</source>
        <translation><numerusform>会少复用 {count} 个 token</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>As many tokens would have been reused</source>
        <translation>复用的 token 一样多</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>, the first token {time} earlier on average</source>
        <translation>，首个 token 平均提前 {time}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>, the first token {time} later on average</source>
        <translation>，首个 token 平均推迟 {time}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>{said} This start's command line sets another {names}.</source>
        <translation>{said}本次启动的命令行另行设置了{names}。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/figures.py"/>
        <source>Reserved for what the device evicts</source>
        <translation>为设备驱逐的内容预留</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>C: most prompt tokens between two checkpoints</source>
        <translation>C：两个检查点之间提示词 token 的上限</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Decode interval</source>
        <translation>解码间隔</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>D: tokens of an answer between two checkpoints</source>
        <translation>D：回答中两个检查点之间的 token 数</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Memory of both planes on the device</source>
        <translation>设备上两个平面的内存</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>State share</source>
        <translation>状态占比</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Part of the budget for states at first, on the device and on the host</source>
        <translation>预算中最初分给状态的部分（设备与主机）</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Host memory for what the device evicts</source>
        <translation>存放设备驱逐内容的主机内存</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Files for what host and device evict. A replay's disk begins with the files that were there and keeps everything, whatever its budget</source>
        <translation>存放主机与设备驱逐内容的文件。重放的磁盘从当时已有的文件开始，并保留一切，不受预算限制</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>What goes first when there is no room</source>
        <translation>空间不足时先淘汰什么</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>fast resumes from every checkpoint, exact only where results stay equal to the bit</source>
        <translation>fast 可从任何检查点恢复，exact 只在结果逐位相同时恢复</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Where drafts come from: cached paths and the text, the text alone, or nowhere</source>
        <translation>草稿的来源：已缓存路径和文本、仅文本，或不使用草稿</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Longest draft</source>
        <translation>最长草稿</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>Most tokens of a draft; how many are drafted follows from what passes cost</source>
        <translation>一个草稿最多的 token 数；实际数量取决于每次运行的代价</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/knobs.py"/>
        <source>{value:,} tokens</source>
        <translation>{value:,} 个 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/study.py"/>
        <source>The process that predicts has ended. Move a slider to start it again.</source>
        <translation>预测进程已结束。移动滑块可重新启动。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/logic/study.py"/>
        <source>No request was recorded.</source>
        <translation>没有记录任何请求。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Today</source>
        <comment>as it is set</comment>
        <translation>目前</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>This opens the model again. Conversations stay; what is in the cache comes back from disk, if there is a disk tier.</source>
        <translation>这会重新打开模型。对话会保留；如有磁盘层，缓存内容会从磁盘恢复。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Open the debugger on the engine itself to apply these.</source>
        <translation>要应用这些设置，请在引擎本身上打开调试器。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Drafts are set in Settings &gt; Model and device.</source>
        <translation>草稿在“设置 &gt; 模型与设备”中设置。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Applied between two requests; the cache stays.</source>
        <translation>在两个请求之间应用，缓存保留。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>How the device's memory is divided</source>
        <translation>设备内存的划分</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Return to the settings before the last Apply, and remember those</source>
        <translation>恢复上次“应用”之前的设置并记住</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>All sliders as the settings are now</source>
        <translation>所有滑块回到当前设置</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Curve by</source>
        <translation>曲线依据</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>No request has been recorded yet. Send a message, or open a trace.</source>
        <translation>还没有记录任何请求。请发送消息或打开轨迹。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>today</source>
        <translation>目前</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>REUSE BY</source>
        <translation>复用率依据</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>DEVICE MEMORY</source>
        <translation>设备内存</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>REQUESTS: REUSED, REPLAYED, NEW</source>
        <translation>请求：复用、重放、新增</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Apply and reopen</source>
        <translation>应用并重新打开</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>These are the settings of a file.</source>
        <translation>这些是文件中的设置。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>today {today}, predicted {predicted}</source>
        <translation>目前 {today}，预测 {predicted}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Replaying {requests}…</source>
        <translation>正在重放 {requests}…</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>{requests}. Move a slider to see what other settings would have done.</source>
        <translation>{requests}。移动滑块可查看其他设置的效果。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/what_if/panel.py"/>
        <source>{count} recorded requests</source>
        <translation><numerusform>{count} 个已记录的请求</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>{hint}
Today: {was}</source>
        <translation>{hint}
目前：{was}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Most is reused from {words} on: {reused:.1%}.</source>
        <translation>从 {words} 起复用最多：{reused:.1%}。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>Predicted in {study_time}.</source>
        <translation>预测用时 {study_time}。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>{told}; {was} today</source>
        <translation>{told}；目前 {was}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/panel.py"/>
        <source>{name}: {kv} keys and values, {state} states.</source>
        <translation>{name}：键和值 {kv}，状态 {state}。</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/requests_plot.py"/>
        <source>{reused} reused, {replayed} replayed, {computed} new</source>
        <translation>复用 {reused}，重放 {replayed}，新增 {computed}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/requests_plot.py"/>
        <source>Tokens reused, replayed and new, by request</source>
        <translation>各请求复用、重放和新增的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/requests_plot.py"/>
        <source>Request {last}</source>
        <translation>请求 {last}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/requests_plot.py"/>
        <source>Requests {first} to {last}</source>
        <translation>请求 {first} 至 {last}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/requests_plot.py"/>
        <source>today: {today}</source>
        <translation>目前：{today}</translation>
    </message>
    <message>
        <location filename="app/debugger/what_if/requests_plot.py"/>
        <source>predicted: {predicted}</source>
        <translation>预测：{predicted}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>How much that would save cannot be predicted: in a recording this old, hashes do not tell which later text is the same.</source>
        <translation>无法预测能节省多少：这份旧记录中的哈希无法说明之后哪些文本相同。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Keep the date and the time out of the system text, or put them into the last message.</source>
        <translation>不要把日期和时间写进系统文本，或将其放进最后一条消息。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Leave the system text as it is during a conversation, or begin a new one with it.</source>
        <translation>对话期间不要改动系统文本，或用新的系统文本开始新对话。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Keep the list of tools the same, in the same order.</source>
        <translation>保持工具列表及其顺序不变。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>What follows an edit has to be read again.</source>
        <translation>编辑之后的内容必须重新读取。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>What follows has to be read again each time that more is left out.</source>
        <translation>每次省去更多内容，其后的部分都须重新读取。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>What follows has to be read again.</source>
        <translation>其后的部分须重新读取。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>This run stored its state anew. Leave the files in the cache folder.</source>
        <translation>本次运行已重新存储其状态。请不要移除缓存文件夹中的文件。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>This run stores states that these weights and kernels can use.</source>
        <translation>本次运行会存储当前权重和内核可用的状态。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>This run stores its states anew.</source>
        <translation>本次运行会重新存储其状态。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>The wrong state is not used any more, and this run stored a sound one.</source>
        <translation>有误的状态不再使用，本次运行已存入正确的状态。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>The file was removed, and this run stored its state anew. If it happens again, check the disk.</source>
        <translation>文件已移除，本次运行重新存储了其状态。若再次发生，请检查磁盘。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>It was removed on request.</source>
        <translation>它是按要求移除的。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>The request asked for no cache.</source>
        <translation>该请求要求不用缓存。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Record from the start to see why.</source>
        <translation>从一开始就记录才能看到原因。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Another text has to be read.</source>
        <translation>文本不同，必须读取。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>What comes back is not the answer as the model wrote it.</source>
        <translation>传回的并非模型写下的原样回答。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>It is the model's template that does so.</source>
        <translation>这是模型的模板造成的。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>{count} changes</source>
        <translation><numerusform>{count} 项改动</numerusform></translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Nothing to change: nothing ran that could have been saved.</source>
        <translation>无需改动：没有运行本可省去的内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Nothing to change. {why}</source>
        <translation>无需改动。{why}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Use the eviction policy {policy} ({options}).</source>
        <translation>使用驱逐策略 {policy} ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>{line}. Predicted by replaying the recorded requests.</source>
        <translation>{line}。由重放已记录的请求预测。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Nothing to change: of {ran} that ran, only {again} had run before.</source>
        <translation>无需更改：运行的 {ran} 中，只有 {again} 个以前运行过。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>None of {tried} tried in the simulator would have helped.</source>
        <translation>在模拟器中尝试的 {tried}均无帮助。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Give the device's cache {new} instead of {old} ({options}).</source>
        <translation>将设备缓存设为 {new}，而不是 {old} ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Give the host tier {new} instead of {old} ({options}).</source>
        <translation>将主机层设为 {new}，而不是 {old} ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Give the states {new:.0%} of the budget at first, instead of {old:.0%} ({options}).</source>
        <translation>开始时将预算的 {new:.0%} 分给状态，而不是 {old:.0%} ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Store a checkpoint every {new} tokens instead of {old} ({options}).</source>
        <translation>每 {new} 个 token 存一个检查点，而不是 {old} ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Store a checkpoint every {new} tokens of an answer instead of {old} ({options}).</source>
        <translation>每 {new} 个回答 token 存一个检查点，而不是 {old} ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Use {mode} mode, where resuming may differ by rounding ({options}).</source>
        <translation>使用 {mode} 模式，恢复时结果可能有舍入差异 ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>This turn would run {now} tokens instead of being refused</source>
        <translation>这一轮会运行 {now} 个 token，而不是被拒绝</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>This turn would run {now} tokens instead of {was}</source>
        <translation>这一轮会运行 {now} 个 token，而不是 {was} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>, {saved_s} sooner</source>
        <translation>，提前{saved_s}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>; all requests up to it, {all_now} instead of {all_was}</source>
        <translation>；到它为止的所有请求共 {all_now} 个，而不是 {all_was} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/advice.py"/>
        <source>Keep what the device evicts in {new} of host memory ({options}).</source>
        <translation>用 {new} 主机内存保留设备驱逐的内容 ({options})。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Tokens whose keys, values and state were in the cache</source>
        <translation>键、值和状态都在缓存中的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Tokens that were in the cache, but ran again to rebuild the state</source>
        <translation>在缓存中、但为重建状态而再次运行的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Tokens that were not in the cache</source>
        <translation>不在缓存中的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Seconds from the request to its first token</source>
        <translation>从请求到首个 token 的秒数</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>thinking left out (normal)</source>
        <translation>略去思考（正常）</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Request {number}, {title}: {prompt:,} tokens, {reused:,} reused, {replayed:,} replayed, {computed:,} new{why}</source>
        <translation>请求 {number}，{title}：{prompt:,} 个 token，复用 {reused:,}，重放 {replayed:,}，新增 {computed:,}{why}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>A conversation with</source>
        <translation>一段对话，标题如</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>The prompt to scale: reused, replayed (hatched), new</source>
        <translation>按比例显示提示词：复用、重放（斜线）、新增</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>a bar of this</source>
        <translation>这样长的名称</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Why it ran what it ran</source>
        <translation>为何运行了这些</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>A conversation, by a part of its name or by its number</source>
        <translation>对话，以名称的一部分或编号表示</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Tokens of its prompt</source>
        <translation>其提示词的 token 数</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Tokens that had run before and ran again</source>
        <translation>曾运行过又重新运行的 token</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Seconds to its end</source>
        <translation>到结束为止的秒数</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Where the checkpoint was that it resumed from</source>
        <translation>它恢复所用的检查点所在之处</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/request_rows.py"/>
        <source>Its number</source>
        <translation>其编号</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/sides.py"/>
        <source>This prompt</source>
        <translation>此提示词</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/sides.py"/>
        <source>Request {other}, its answer</source>
        <translation>请求 {other} 的回答</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/sides.py"/>
        <source>Request {other}, its prompt</source>
        <translation>请求 {other} 的提示词</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/sides.py"/>
        <source>The prompt and request {other} part at token {at}.</source>
        <translation>提示词与请求 {other} 在 token {at} 处分开。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/sides.py"/>
        <source>{at} The trace has positions, but no texts: they were left out when recording.</source>
        <translation>{at}轨迹中只有位置而没有文本：记录时已略去。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/sides.py"/>
        <source>{at} From {prompt_to} on, {again} are the same again.</source>
        <translation>{at}从 {prompt_to} 起，又有 {again} 相同。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>checkpoints while an answer is written are switched off</source>
        <translation>回答过程中的检查点已关闭</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>checkpoints at an interval are switched off</source>
        <translation>按间隔存检查点已关闭</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>another one</source>
        <translation>另一个对话</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>none: it began at the start</source>
        <translation>无：从头开始</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>its file was damaged</source>
        <translation>其文件已损坏</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>its file had been deleted</source>
        <translation>其文件已被删除</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>still there, but not bit-exact for this prompt</source>
        <translation>仍在，但对此提示词并非逐位精确</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>{tokens} ran again from {start}</source>
        <translation>从{start}起有 {tokens} 再次运行</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>What became of the state at {at} happened before the recording began</source>
        <translation>{at} 处状态的去向发生在记录开始之前</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>besides those at messages, one is stored every {every} tokens</source>
        <translation>除消息处的检查点外，每 {every} 个 token 存一个</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>{seconds} before</source>
        <translation>{seconds}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>so the {tokens} after it ran again</source>
        <translation>因此其后的 {tokens} 再次运行</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The prompt leaves what was cached at token {at}; its other {tokens} ran.</source>
        <translation>提示词在 token {at} 处离开已缓存的内容，其余 {tokens} 已运行。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>, where no checkpoint was stored; one every {every} tokens would have saved {saved} of them</source>
        <translation>，而该处没有存储检查点；若每 {every} 个 token 存一个，可省去其中 {saved} 个</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Request {number} · {title} · {tokens}</source>
        <translation>请求 {number} · {title} · {tokens}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Checkpoint used</source>
        <translation>所用检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>at {reused}, {place}, {provenance}</source>
        <translation>{reused} 处，{place}，{provenance}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>left {place}{when}: {named}</source>
        <translation>离开{place}{when}：{named}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>{went}, for request {during}</source>
        <translation>{went}，为请求 {during} 腾出空间</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>{older} of {among} candidates had been unused for longer{by}</source>
        <translation>{among} 个候选中有 {older} 个更久未用{by}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>{evidence}, so {evidence2}.</source>
        <translation>{evidence}，因此{evidence2}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>the checkpoint at {reused}</source>
        <translation>位置 {reused} 处的检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>while an answer is written, one is stored every {every} tokens</source>
        <translation>写回答时每 {every} 个 token 存一个</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source> ({tokens})</source>
        <translation>（{tokens}）</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Would have been needed</source>
        <translation>本需要</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>What became of it</source>
        <translation>它的去向</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Shares most with</source>
        <translation>共享最多的是</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>never taken: no slot was free{when}</source>
        <translation>从未建立：没有空闲槽位{when}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>never taken: {obstacle}</source>
        <translation>从未建立：{obstacle}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>quarantined{when}</source>
        <translation>已隔离{when}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>; {policy} chose it</source>
        <translation>；由 {policy} 选中</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>the only candidate{by}</source>
        <translation>唯一的候选{by}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>the longest unused of {among} candidates{by}</source>
        <translation>{among} 个候选中最久未用{by}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The checkpoint at token {at} was evicted {when}while its own conversation went on ({named})</source>
        <translation>token {at} 处的检查点在{when}其所属对话继续期间被驱逐（{named}）</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The cache is too small for both chats: {obstacle} pushed out the checkpoint at token {at}, {when}by {named}</source>
        <translation>缓存容不下两个对话：{obstacle}在{when}挤掉了 token {at} 处的检查点（{named}）</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Host memory had no room for the checkpoint at token {at} when it left the device {when}</source>
        <translation>token {at} 处的检查点在{when}离开设备时，主机内存没有空间容纳它</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Host memory was full: the copy of the checkpoint at token {at} was evicted from there {when}</source>
        <translation>主机内存已满：token {at} 处检查点的副本从中被驱逐，{when}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The disk budget was used up: the file with the checkpoint at {at} is gone</source>
        <translation>磁盘预算已用完：含 {at} 处检查点的文件已不存在</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The file with the checkpoint at {at} could not be written</source>
        <translation>无法写入 {at} 处检查点的文件</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>No checkpoint was taken at {at}, because every state slot was in use</source>
        <translation>{at} 处未建立检查点，因为所有状态槽位都在使用</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>No checkpoint was ever taken near token {at}: {obstacle}</source>
        <translation>token {at} 附近从未建立检查点：{obstacle}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>An audit had found the checkpoint at {at} to be wrong, and nothing uses it</source>
        <translation>审计发现 {at} 处的检查点有误，不再使用</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>A file that the one with the checkpoint at {at} continues was lost</source>
        <translation>{at} 处检查点的文件所接续的文件已丢失</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The file with the checkpoint at {at} was damaged</source>
        <translation>含 {at} 处检查点的文件已损坏</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The file with the checkpoint at {at} had been deleted</source>
        <translation>{at} 处检查点的文件已被删除</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>No state up to token {at} is bit-exact for this prompt</source>
        <translation>到 token {at} 为止，没有对此提示词逐位精确的状态</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The checkpoint at {at} had been removed ({named})</source>
        <translation>{at} 处的检查点已被移除（{named}）</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The cache was not used for this request, so all {all_of} ran.</source>
        <translation>此请求未使用缓存，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>All {all_of} were in the cache, with the state at their end: nothing ran.</source>
        <translation>全部 {all_of} 及其末尾的状态都在缓存中：无需运行。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>All of it had run before, and only the {tokens} at its end ran again.</source>
        <translation>全部内容此前都运行过，只有末尾的 {tokens} 重新运行。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The device's cache has no room for a prompt of {all_of}, so nothing ran.</source>
        <translation>设备缓存容不下 {all_of} 的提示词，因此没有运行。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Only its first {shared} had been seen before, as another prompt begins alike; the other {tokens} are new.</source>
        <translation>只有前 {shared} 此前见过，因为另一提示词的开头与之相同；其余 {tokens} 是新的。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Nothing of this prompt had been seen before, so all {all_of} ran.</source>
        <translation>此提示词的内容从未出现过，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Nothing of this prompt was in the cache, nor in the recording before it, so all {all_of} ran.</source>
        <translation>此提示词的任何部分都不在缓存中，也不在此前的记录中，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>What the cache had of this prompt was evicted before the recording began, so all {all_of} ran.</source>
        <translation>缓存中此提示词的内容在记录开始前已被逐出，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Files had the beginning of this prompt, but other weights, another number format or other kernels wrote them, so all {all_of} ran.</source>
        <translation>文件中有此提示词的开头，但由其他权重、其他数值格式或其他内核写入，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Answers in this prompt were generated before, but nothing in the cache or its files began like it, so all {all_of} ran.</source>
        <translation>此提示词中的回答曾在此前生成，但缓存及其文件中没有以它开头的内容，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Only what is new ran, {tokens}: the prompt goes on from what was cached.</source>
        <translation>只运行了新增的 {tokens}：提示词接续已缓存的内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>It shares its first {shared} with another chat; the other {tokens} are new.</source>
        <translation>其最前面的 {shared} 与另一个对话相同，其余 {tokens} 为新增。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Its system text and another chat's are the same up to token {at}{state}; the other {tokens} are new.</source>
        <translation>其系统文本与另一对话的系统文本在 token {at} 之前相同{state}；其余 {tokens} 是新的。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>This is normal in a straight chat: the template leaves earlier thinking out of the prompt, so the answer after it and the new message, {tokens}, were read.</source>
        <translation>这在普通对话中是正常的：模板会从提示词中略去之前的思考，因此重新读取了其后的回答和新消息，共 {tokens}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The date or time at token {at} changed from “{was}” to “{now}”, {after}.</source>
        <translation>token {at} 处的日期或时间由“{was}”变为“{now}”，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The template or the tools changed since the files were written, so all {all_of} ran.</source>
        <translation>自文件写入以来，模板或工具已改变，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The system text changed since the files were written, so all {all_of} ran.</source>
        <translation>自文件写入以来，系统文本已改变，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The conversation was edited since the files were written, so all {all_of} ran.</source>
        <translation>自文件写入以来，对话被编辑过，因此全部 {all_of} 都运行了。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The system text changed at token {at}, {after}.</source>
        <translation>系统文本在 token {at} 处改变，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The list of tools changed at token {at}, {after}.</source>
        <translation>工具列表在 token {at} 处改变，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>An earlier message was edited at token {at}, {after}.</source>
        <translation>之前的一条消息在 token {at} 处被编辑，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The oldest turns were left out at token {at}{length}, {after}.</source>
        <translation>最早的几轮在 token {at} 处被省去{length}，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>A text that was there before was left out at token {at}{length}, {after}.</source>
        <translation>此前有的一段文本在 token {at} 处被省去{length}，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>From token {at} on the same text is cut into other tokens, as when an answer is sent back as text, {after}.</source>
        <translation>从 token {at} 起，同样的文本被切分为不同的 token（例如回答以文本形式传回时），{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>An earlier answer is not in the prompt as it was written, from token {at} on, {after}.</source>
        <translation>从 token {at} 起，之前的一个回答在提示词中与写下时不同，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>The template rendered the same messages differently at token {at}, {after}.</source>
        <translation>模板在 token {at} 处对相同消息的渲染不同，{after}。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>Its rank then</source>
        <translation>当时的排名</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>No checkpoint beyond token {reused} is bit-exact for this prompt</source>
        <translation>token {reused} 之后没有检查点对此提示词逐位精确</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>at {position}</source>
        <translation>{position} 处</translation>
    </message>
    <message>
        <location filename="app/debugger/why/logic/words.py"/>
        <source>request {nearest}, its first {shared}</source>
        <translation>请求 {nearest}，其最前面的 {shared}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Looking for a change that would have helped…</source>
        <translation>正在寻找有帮助的改动…</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>No request yet. Send a message, or open a trace: each request is explained here, with what would have made it faster.</source>
        <translation>还没有请求。请发送消息或打开轨迹：这里会解释每个请求，以及怎样能更快。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Copy both texts</source>
        <translation>复制两段文本</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Request before</source>
        <translation>上一个请求</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Request after</source>
        <translation>下一个请求</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Open in what-if</source>
        <translation>在假设分析中打开</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Choose the node where the prompt left the cache</source>
        <translation>选中提示词离开缓存处的节点</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Show eviction</source>
        <translation>显示驱逐</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Go to the moment when the checkpoint went</source>
        <translation>转到检查点消失的时刻</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Go to message</source>
        <translation>转到消息</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Leave the debugger for the message in the chat</source>
        <translation>离开调试器，转到聊天中的消息</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>BOTH TEXTS</source>
        <translation>两段文本</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>reused {reused:,} · replayed {replayed:,} · new {computed:,} of {total:,}</source>
        <translation>复用 {reused:,} · 重放 {replayed:,} · 新增 {computed:,} / {total:,}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Text in the cache</source>
        <translation>缓存中的文本</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Text of this prompt</source>
        <translation>此提示词的文本</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>TO THE FIRST TOKEN</source>
        <translation>到首个 token</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>WHAT TO CHANGE</source>
        <translation>如何改进</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>none came</source>
        <translation>未出现</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Show moment</source>
        <translation>显示时刻</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>Nothing of this prompt was in the cache at that moment.</source>
        <translation>那一刻缓存中没有此提示词的任何内容。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>In the cache:
{cached}

This prompt:
</source>
        <translation>缓存中：
{cached}

此提示词：
</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>the same on both sides</source>
        <translation>两侧相同</translation>
    </message>
    <message>
        <location filename="app/debugger/why/panel.py"/>
        <source>token {position}: {state}</source>
        <translation>token {position}：{state}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/requests_panel.py"/>
        <source>All conversations</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <location filename="app/debugger/why/requests_panel.py"/>
        <source>Filter requests</source>
        <translation>筛选请求</translation>
    </message>
    <message>
        <location filename="app/debugger/why/requests_panel.py"/>
        <source>Only requests of the chosen request's conversation</source>
        <translation>仅所选请求所属对话的请求</translation>
    </message>
    <message>
        <location filename="app/debugger/why/requests_panel.py"/>
        <source>No request yet. Each one will be listed here with what it reused.</source>
        <translation>还没有请求。每个请求及其复用情况会列在这里。</translation>
    </message>
    <message>
        <location filename="app/debugger/why/requests_panel.py"/>
        <source>{shown} of {requests}</source>
        <translation>{shown} / {requests}</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>lookup</source>
        <translation>查找</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>Rendering the prompt, and finding it in the cache</source>
        <translation>生成提示词并在缓存中查找</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>Taking slots and copying the checkpoint</source>
        <translation>取得槽位并复制检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>Running again what was known</source>
        <translation>再次运行已知内容</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>Running what is new</source>
        <translation>运行新增内容</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>first step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>The step of the first token</source>
        <translation>生成首个 token 的一步</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>No request</source>
        <translation>没有请求</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>Time to the first token</source>
        <translation>到首个 token 的时间</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>Resumed from the checkpoint at {reused}</source>
        <translation>从 {reused} 处的检查点恢复</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>One at {needed} would have been needed</source>
        <translation>本需要 {needed} 处的检查点</translation>
    </message>
    <message>
        <location filename="app/debugger/why/ruler.py"/>
        <source>The texts part at {at}</source>
        <translation>文本在 {at} 处分开</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>The example</source>
        <translation>示例</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>A text of my own</source>
        <translation>自定义文本</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>One token back</source>
        <translation>后退一个 token</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>One token forward</source>
        <translation>前进一个 token</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>What to look at</source>
        <translation>查看什么</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>A text to look at</source>
        <translation>要查看的文本</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>Type a text and press Enter</source>
        <translation>输入文本并按 Enter</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>Reading.</source>
        <translation>正在读取。</translation>
    </message>
    <message>
        <location filename="app/lab/asking_tab.py"/>
        <source>Reading: {at} of {of} have run.</source>
        <translation>正在读取：已运行 {at} / {of}。</translation>
    </message>
    <message>
        <location filename="app/lab/curves.py"/>
        <source>tokens of context, both axes logarithmic</source>
        <translation>上下文 token 数，两轴均为对数</translation>
    </message>
    <message>
        <location filename="app/lab/curves.py"/>
        <source>Cache bytes by context length</source>
        <translation>缓存字节数与上下文长度的关系</translation>
    </message>
    <message>
        <location filename="app/lab/curves.py"/>
        <source>conversation {conversation}</source>
        <translation>对话 {conversation}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>K and V</source>
        <translation>K 和 V</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>linear layers</source>
        <translation>线性层</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>heads</source>
        <translation>头</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>value dims</source>
        <translation>值维度</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>key dims</source>
        <translation>键维度</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>conv window</source>
        <translation>卷积窗口</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>(K and V)</source>
        <translation>（K 和 V）</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>dims</source>
        <translation>维度</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="app/lab/logic/arithmetic.py"/>
        <source>full layers</source>
        <translation>全注意力层</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Feed the tokens one by one: full attention appends an entry for each and never touches it again, linear attention rewrites one state of fixed size.</source>
        <translation>逐个送入 token：全注意力为每个 token 追加一个条目，此后不再改动；线性注意力则改写一个固定大小的状态。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>This model has no layer of full attention.</source>
        <translation>此模型没有全注意力层。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>This model has no layer of linear attention.</source>
        <translation>此模型没有线性注意力层。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Changed by</source>
        <translation>变化</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Kept by the gate</source>
        <translation>门控保留</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/memory_words.py"/>
        <source>{count} heads</source>
        <translation><numerusform>{count} 个头</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>The last {texts} of {tokens}; the ones before them ran, but are not shown one by one.</source>
        <translation>{tokens} 中的最后 {texts} 个；之前的已运行，但不逐个显示。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Token {place} of {of}: {texts}</source>
        <translation>第 {place} 个 token，共 {of} 个：{texts}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Token {place} appended a key and a value for each of {heads}: {shape} B. The layer now holds {size} for {tokens}; the earlier entries are as they were.</source>
        <translation>第 {place} 个 token 为 {heads}各追加了一个键和一个值：{shape} B。该层现在为 {tokens} 保存 {size}；之前的条目保持不变。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>The token overwrote the state in place; the layer still holds {size}. In this head the gate first kept {kept} of every number. Then {rate} (beta) of the difference between the token's value and what its key read so far was written. In all that moved the state by {changes} of its norm.</source>
        <translation>该 token 就地覆写了状态，该层仍占 {size}。在这个头中，门控先保留每个数的 {kept}，再写入 token 的值与其键当前读出值之差的 {rate}（beta）。总计使状态改变了其范数的 {changes}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Asked with each earlier token's own key, the state returns {clear} of {values} values clearly (cosine {clear2} or more); least well that of {texts}, {values2}. The full layer still has all of them exactly.</source>
        <translation>用之前每个 token 自己的键去查询，状态能清晰返回 {values} 个值中的 {clear} 个（余弦不低于 {clear2}）；最差的是 {texts}，为 {values2}。全注意力层仍精确保有全部。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>{tokens}, from the first one.</source>
        <translation>{tokens}，从第一个开始。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Asked with this token's own key, the state returns its value with a cosine of {values}; 1 would be exact.</source>
        <translation>用此 token 自己的键去查询，状态返回其值的余弦为 {values}；1 表示精确。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/memory_words.py"/>
        <source>Like {tokens} ago</source>
        <translation>如 {tokens} 之前</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Recorded with the bundled model; your own requests stand here once you have asked something.</source>
        <translation>由内置模型录制；提问之后，这里显示你自己的请求。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Prefill runs many prompt tokens at once, so each reading of the weights serves all of them. Decode reads the weights again for every token.</source>
        <translation>预填充一次运行许多提示词 token，因此每次读取权重供它们共用。解码则为每个 token 重新读取权重。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>With the cache</source>
        <translation>使用缓存</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Every prompt cold</source>
        <translation>每个提示词冷运行</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>No cache at all</source>
        <translation>完全不用缓存</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>as it ran: only what is new or has to be replayed</source>
        <translation>实际运行：仅新增或需要重放的部分</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>each prompt computed from its first token</source>
        <translation>每个提示词都从首个 token 开始计算</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>the whole sequence again for every token</source>
        <translation>每个 token 都重新计算整个序列</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>With</source>
        <translation>有缓存</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>The positions that ran, with the cache</source>
        <translation>使用缓存时实际计算的位置</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Without</source>
        <translation>无缓存</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>The positions that would have run without a cache</source>
        <translation>没有缓存时需要计算的位置</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>What ran, within the outline of what would have run without a cache</source>
        <translation>实际计算的部分，外框为没有缓存时需要计算的部分</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>{requests}: {positions} ran. Cold, every prompt computed from its first token, it would be {cold}: the cache saved {saved}{share}.</source>
        <translation>{requests}：运行了 {positions}。若冷运行（每个提示词都从头计算）则为 {cold} 个：缓存省去了 {saved} 个{share}。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>{count} positions</source>
        <translation><numerusform>{count} 个位置</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>So far prefill was no faster per token: its prompts were too short to share a reading of the weights. {phases}</source>
        <translation>目前预填充每个 token 并不更快：提示词太短，无法共用一次权重读取。{phases}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>{tokens} in {seconds}</source>
        <translation>{tokens}，用时 {seconds}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Prompts took {seconds}; cold, at the same speed, ~{cold}.</source>
        <translation>提示词用时 {seconds}；同速冷运行约需 {cold}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>{name}: a prompt of {tokens}, {reused} reused, {replayed} replayed, {computed} new, then {steps}: {positions}. Cold {cold}, no cache at all {bare}. The prompt took {taken}{cold2}.</source>
        <translation>{name}：提示词 {tokens}，复用 {reused}，重放 {replayed}，新增 {computed}，然后 {steps}：{positions}。冷运行为 {cold}，完全不用缓存为 {bare}。提示词用时 {taken}{cold2}。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>{count} decode steps</source>
        <translation><numerusform>{count} 个解码步</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>The last {runs} of </source>
        <translation>最近 {runs} 个，共 </translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>A decoded token took {slow:,.1f} times as long as a prefilled one. {phases}</source>
        <translation>解码一个 token 的用时是预填充的 {slow:,.1f} 倍。{phases}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>Request {number}</source>
        <translation>请求 {number}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source>, cold ~{speed}</source>
        <translation>，冷运行约 {speed}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/phase_sentences.py"/>
        <source> in "{title}"</source>
        <translation>（“{title}”）</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Click a word to make it the needle; or find one, and press Enter.</source>
        <translation>单击一个词将其设为“针”；或查找后按 Enter。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Click: needle. Shift+click: up to here. Ctrl+click: ask from here. Keys: arrows, Enter (needle), Q (ask from here).</source>
        <translation>单击：设为针。Shift+单击：到此为止。Ctrl+单击：从此处查询。按键：方向键、Enter（针）、Q（从此处查询）。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Moments: the tokens at which the full-attention layers read the needle most, the mean over these layers.</source>
        <translation>时刻：全注意力层读取针最多的 token，取这些层的平均值。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>When the model has come to a token: how much of what each layer reads there comes from an earlier one, the needle?</source>
        <translation>当模型读到某个 token 时，每一层在此读到的内容中，有多少来自更早的一个 token（“针”）？</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Full attention: the share of the query's attention that falls on the needle, the mean over the heads.</source>
        <translation>全注意力：查询的注意力落在“针”上的比例，取各头平均。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Linear attention: how much of what the query reads from the state was written by the needle and not erased since. Over all tokens either sums to 100%.</source>
        <translation>线性注意力：查询从状态读出的内容中，由“针”写入且此后未被抹去的部分。对所有 token 求和均为 100%。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Own key: the cosine between the needle's value and what the state returns for the needle's own key; 1 is exact recall.</source>
        <translation>自身的键：“针”的值与状态对其自身的键所返回内容之间的余弦；1 表示精确回忆。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>full</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>, the last token there is</source>
        <translation>，即最后一个 token</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Moment {rank} of {moments}: {share}</source>
        <translation>第 {rank} 个时刻，共 {moments} 个：{share}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>The last {texts} of {tokens}.</source>
        <translation>{tokens} 中的最后 {texts} 个。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Token {position} of {total} has just been read: {texts}{after}.</source>
        <translation>刚读完第 {position} 个 token，共 {total} 个：{texts}{after}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Layer {layer}, {kind}: {shares}.</source>
        <translation>第 {layer} 层，{kind}：{shares}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>{line} Own key, by head: {answers}.</source>
        <translation>{line}自身的键，按头：{answers}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Read most at token {position}: {share}</source>
        <translation>在第 {position} 个 token 处读取最多：{share}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>, and the next token is {texts}</source>
        <translation>，下一个 token 是 {texts}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Layer {layer} (full) puts {shares} of its attention on {needle}; an even share would be {reading}.</source>
        <translation>第 {layer} 层（全注意力）将 {shares} 的注意力放在 {needle} 上；均分则为 {reading}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Of what a linear layer reads, at most {most} was written by it (layer {layer}).</source>
        <translation>线性层所读内容中最多有 {most} 由它写入（第 {layer} 层）。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>Asked with the needle's own key, layer {layer} returns its value best: {answers}.</source>
        <translation>用“针”自身的键查询，第 {layer} 层返回其值最准：{answers}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/recall_words.py"/>
        <source>head {at} {head}</source>
        <translation>头 {at}：{head}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/scale.py"/>
        <source>KiB</source>
        <translation>KiB</translation>
    </message>
    <message>
        <location filename="app/lab/logic/scale.py"/>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <location filename="app/lab/logic/scale.py"/>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>No model is open; as an example, the bundled one. {model}</source>
        <translation>没有打开的模型，以内置模型为例。{model}</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>Full attention, every head</source>
        <translation>全注意力，每个头</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>Full attention, grouped heads</source>
        <translation>全注意力，分组头</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>The same at any length.</source>
        <translation>任何长度都相同。</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/sentences.py"/>
        <source>{count} query heads</source>
        <translation><numerusform>{count} 个查询头</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>Its heads are not grouped.</source>
        <translation>其头未分组。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>This conversation has no tokens yet.</source>
        <translation>此对话还没有 token。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{name}: {layers}, {full_layers} full and {linear_layers} linear. Window {window} tokens</source>
        <translation>{name}：{layers}，其中全注意力 {full_layers} 层、线性 {linear_layers} 层。窗口 {window} 个 token</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/sentences.py"/>
        <source>{count} layers</source>
        <translation><numerusform>{count} 层</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{grouped} The linear layers hold {fixed} at any length, which is less memory than grouped heads on every layer from {tokens} tokens on.</source>
        <translation>{grouped}线性层在任何长度下都占 {fixed}，从 {tokens} 个 token 起比每层都用分组头更省内存。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>Other texts write KB for KiB, and count two bytes a number: there the state of a linear layer is {there}, here, at {itemsize}, {here}.</source>
        <translation>其他资料把 KiB 写作 KB，并按每个数两字节计算：线性层的状态在那里是 {there}，这里每个数 {itemsize} 字节，为 {here}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>Layer {index}: {kind} attention, {bytes}</source>
        <translation>第 {index} 层：{kind}，{bytes}</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/sentences.py"/>
        <source>{count} states</source>
        <translation><numerusform>{count} 个状态</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{line} The state is kept in {state_dtype}; at {half_itemsize} bytes a number it would be {half}.</source>
        <translation>{line}状态以 {state_dtype} 保存；若每个数用 {half_itemsize} 字节则为 {half}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{line}; the cache has room for {room}.</source>
        <translation>{line}；缓存可容纳 {room} 个。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{queries} share {kv} of keys and values.</source>
        <translation>{queries}共用 {kv}键和值。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{grouped} It has no linear layers, so nothing is fixed.</source>
        <translation>{grouped}它没有线性层，因此没有固定部分。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>Each token adds {shape} B.</source>
        <translation>每个 token 增加 {shape} B。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>All conversations, on the device: {what}, {size}.</source>
        <translation>所有对话，在设备上：{what}，{size}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/sentences.py"/>
        <source>{name}, sum</source>
        <translation>{name}，合计</translation>
    </message>
    <message numerus="yes">
        <location filename="app/lab/logic/story.py"/>
        <source>{count} bytes</source>
        <translation><numerusform>{count} 字节</numerusform></translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Why keys and values stay</source>
        <translation>键和值为何能保留</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Each token leaves a key and a value in every layer of full attention. They depend on the tokens before it, never on those after it: the {seen} entries of layer {entry_layer} stay as they are while new ones are appended. So they are computed once and kept; otherwise every new token would read the whole text again.</source>
        <translation>每个 token 在每个全注意力层中留下一个键和一个值。它们只取决于它之前的 token，与之后的无关：追加新条目时，第 {entry_layer} 层的 {seen} 个条目保持不变。因此只需计算一次并保存；否则每个新 token 都要重新读完整段文本。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Step at least five tokens forward. Does an earlier bar change?</source>
        <translation>向前至少走五个 token。之前的柱子会变吗？</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>None does: each of the {seen} entries was computed once and stays.</source>
        <translation>都不变：{seen} 个条目各只计算一次，之后一直保留。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>What a token costs</source>
        <translation>一个 token 的代价</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>One token adds {token_bytes} to a layer of full attention: a key and a value, each {kv_heads} of {head_dim} numbers at {itemsize}. This model has {full_layers} such layers, so every token costs {model_token_bytes} in all.</source>
        <translation>一个 token 使一个全注意力层增加 {token_bytes}：一个键和一个值，各有 {kv_heads}，每头 {head_dim} 个数，每个数 {itemsize}。本模型有 {full_layers} 个这样的层，所以每个 token 共占 {model_token_bytes}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Drag the context until this layer holds {cost_goal}.</source>
        <translation>拖动上下文长度，直到这一层占 {cost_goal}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>It took {tokens}, each as dear as the first.</source>
        <translation>用了 {tokens}，每一个都和第一个一样贵。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Why it grows with the text</source>
        <translation>为何随文本增长</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Any later token may look back at any earlier one, so no entry may be thrown away. With full attention on all {layers} layers, {tokens} would hold {grouped}, and twice the text twice as much.</source>
        <translation>后面的任何 token 都可能回看前面的任何 token，所以一个条目也不能丢。若全部 {layers} 层都是全注意力，{tokens} 要占 {grouped}，文本加倍，内存也加倍。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Drag the context to the end of the window, {window}.</source>
        <translation>把上下文拖到窗口末端：{window}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>It would be {grouped}, for one conversation.</source>
        <translation>仅一个对话就要 {grouped}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>What linear layers keep</source>
        <translation>线性层保存什么</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>A layer of linear attention sums up the whole text in one recurrent state: {state_shape} numbers, {state_bytes}, after ten tokens as after ten thousand. Texts that count two bytes a number say {half_state} for it; here each has {state_itemsize}.</source>
        <translation>线性注意力层把整段文本概括为一个循环状态：{state_shape} 个数，共 {state_bytes}，十个 token 之后如此，一万个之后也如此。按每个数两字节计算的资料写作 {half_state}；这里每个数占 {state_itemsize} 字节。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Choose layer {full_layer} in the row of layers, and drag the context until it holds more than the {linear_bytes} of a linear layer.</source>
        <translation>在层的列表中选择第 {full_layer} 层，拖动上下文长度，直到它超过一个线性层的 {linear_bytes}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>From {tokens} on, the linear layer is the smaller one.</source>
        <translation>从 {tokens} 起，线性层更小。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Why a state cannot be cut</source>
        <translation>状态为何不能截断</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>To take back a token, its keys and values are dropped. The state has no such entry: {token} first kept {kept} of every number and then wrote over all of them, which changed the state by {changed}. What it was before is nowhere, unless it was copied.</source>
        <translation>要撤回一个 token，丢掉它的键和值即可。状态没有这样的条目：{token} 先保留每个数的 {kept}，再改写全部的数，使状态变化了 {changed}。除非事先复制，否则之前的状态已无处可寻。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Click the token that changed the state most; the first one does not count.</source>
        <translation>点击使状态变化最大的 token；第一个不算。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>It is {token}, with {changed}: no subtraction brings back what it wrote over.</source>
        <translation>是 {token}，变化 {changed}：被它改写的内容无法靠减法找回。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Append against overwrite</source>
        <translation>追加与改写</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>One token, two memories. Above it appends {entry_bytes}; below it rewrites all {state_numbers} numbers of the state, which takes {state_kept} before and after. So far the entries take {entries_bytes}.</source>
        <translation>一个 token，两种记忆。在上方它追加 {entry_bytes}；在下方它改写状态的全部 {state_numbers} 个数，状态前后都占 {state_kept}。目前条目共占 {entries_bytes}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Press Play, and watch both up to the last token.</source>
        <translation>点击播放，看两者直到最后一个 token。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>The entries grew to {entries_bytes}; the state still has {state_kept}.</source>
        <translation>条目增长到 {entries_bytes}；状态仍为 {state_kept}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>What can be recalled</source>
        <translation>能回忆起什么</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>The text says {needle} early, and needs it again later. There, layer {full_best} (full) puts {full_share} of its attention on it, where an even share would be {even}. In a linear layer it has faded: at most {linear_share} of what is read was written by it.</source>
        <translation>文本开头提到 {needle}，后面又需要它。在那里，第 {full_best} 层（全注意力）把 {full_share} 的注意力放在它上面，而平均份额只有 {even}。在线性层中它已淡去：读出的内容最多只有 {linear_share} 由它写入。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Which linear layer still reads most of it? Click its bar.</source>
        <translation>哪个线性层还能读到最多？点击它的条。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Layer {linear_best}, with {linear_share}.</source>
        <translation>第 {linear_best} 层，{linear_share}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>What a checkpoint is</source>
        <translation>什么是检查点</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>A state fits one position and no other, so it is copied at chosen ones. Such a checkpoint holds the states of all {linear_layers} linear layers: {checkpoint}, at any length. Keys and values need no copies, as they may be cut anywhere.</source>
        <translation>一个状态只适用于一个位置，所以要在选定的位置复制它。这样的检查点保存全部 {linear_layers} 个线性层的状态：任何长度都是 {checkpoint}。键和值可以在任何地方截断，无需复制。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Drag the context until keys and values take more than one checkpoint.</source>
        <translation>拖动上下文长度，直到键和值超过一个检查点。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>At {tokens} they take {kv}: a checkpoint is dear in a short chat alone.</source>
        <translation>在 {tokens} 处它们占 {kv}：检查点只在短对话中显得贵。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>What a turn costs</source>
        <translation>一轮对话的代价</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Each message comes with all that was said before. Request {run} had a prompt of {run_prompt} tokens; {run_reused} of them came from a checkpoint. In all {sum_cached} positions ran, instead of {sum_cold} if each prompt were read anew, or {sum_bare} without any cache.</source>
        <translation>每条消息都带着之前说过的全部内容。请求 {run} 的提示词有 {run_prompt} 个 token，其中 {run_reused} 个来自检查点。总共计算了 {sum_cached} 个位置；若每次都重读提示词需要 {sum_cold} 个，完全没有缓存则需要 {sum_bare} 个。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Switch to Without, and choose the request that would cost most.</source>
        <translation>切换到“无缓存”，选择代价最大的请求。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Request {run}: {run_cold} positions, instead of {run_cached} that ran.</source>
        <translation>请求 {run}：{run_cold} 个位置，而实际只计算了 {run_cached} 个。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Branching off</source>
        <translation>分支</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>A message that is edited shares its beginning with the old one. Up to where the two part, keys and values serve both; the state has to be at a checkpoint, or the tokens after the last one are replayed. Request {run}: {run_reused} reused, {run_replayed} replayed, {run_new} new.</source>
        <translation>编辑后的消息与原消息有共同的开头。在两者分开之前，键和值供两者共用；状态则必须有检查点，否则要重放最后一个检查点之后的 token。请求 {run}：复用 {run_reused}，重放 {run_replayed}，新增 {run_new}。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>One of these requests replaces an earlier message. Choose it.</source>
        <translation>其中一个请求替换了之前的消息。请选择它。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Request {run} went back: {run_reused} of its {run_prompt} tokens were there already.</source>
        <translation>请求 {run} 回到了之前：{run_prompt} 个 token 中有 {run_reused} 个已经存在。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>What a hybrid saves</source>
        <translation>混合模型节省多少</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Full attention finds single tokens, linear attention costs nothing more as the text grows; so {full_layers} of {layers} layers are full and the rest linear. At {tokens} the model holds {hybrid}, and {grouped} if every layer were full: {times} times as much.</source>
        <translation>全注意力能找到单个 token，线性注意力的代价不随文本增长；所以 {full_layers}/{layers} 层是全注意力，其余是线性的。在 {tokens} 处模型占 {hybrid}；若每层都是全注意力则为 {grouped}，是其 {times} 倍。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Drag the context until it would be {times_goal} times as much.</source>
        <translation>拖动上下文长度，直到达到 {times_goal} 倍。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>From about {tokens} on: the longer the text, the more is saved.</source>
        <translation>大约从 {tokens} 起：文本越长，节省越多。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Two planes, one tree</source>
        <translation>两个平面，一棵树</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Prompts that begin alike share their beginning, as a tree. Every piece has its keys and values, on the KV plane: {tree_tokens}. States are on the state plane, at {tree_points} alone, the diamonds. A prompt goes on from the last diamond on its way.</source>
        <translation>开头相同的提示词共用开头，形成一棵树。每一段的键和值都在 KV 平面上：{tree_tokens}。状态在状态平面上，只存在于 {tree_points}，即菱形处。提示词从沿途最后一个菱形继续。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Click the piece after which the edited message leaves the old one.</source>
        <translation>点击编辑后的消息与原消息分开之前的那一段。</translation>
    </message>
    <message>
        <location filename="app/lab/logic/story.py"/>
        <source>Both go on from its checkpoint at token {part_at}; all before it is stored once.</source>
        <translation>两者都从第 {part_at} 个 token 处的检查点继续；之前的内容只存一份。</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Entries of the layer</source>
        <translation>该层的条目</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>not yet fed</source>
        <translation>尚未送入</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>norm of the key</source>
        <translation>键的范数</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>norm of the value</source>
        <translation>值的范数</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>change of the state</source>
        <translation>状态的变化</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>value read back</source>
        <translation>读回的值</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>largest numbers of the state</source>
        <translation>状态中最大的数</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Changes of the state</source>
        <translation>状态的变化</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Values read back</source>
        <translation>读回的值</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>{texts}: key {keys:.3g}, value {values:.3g}</source>
        <translation>{texts}：键 {keys:.3g}，值 {values:.3g}</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Layer of full attention</source>
        <translation>全注意力层</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Linear layer</source>
        <translation>线性层</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Head of keys and values</source>
        <translation>键和值的头</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Head of the state</source>
        <translation>状态的头</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>The state</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>What the token wrote</source>
        <translation>该 token 写入的内容</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>FULL ATTENTION APPENDS</source>
        <translation>全注意力：追加</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>LINEAR ATTENTION OVERWRITES</source>
        <translation>线性注意力：覆写</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>HOW MUCH EACH TOKEN CHANGED THE STATE</source>
        <translation>每个 token 使状态改变了多少</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>VALUES THAT CAN BE READ BACK FROM THE STATE</source>
        <translation>能从状态读回的值</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>the state</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>what this token wrote</source>
        <translation>此 token 写入的内容</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Full attention: {full}. Linear attention: {linear}</source>
        <translation>全注意力：{full}。线性注意力：{linear}</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Layer {at}</source>
        <translation>第 {at} 层</translation>
    </message>
    <message>
        <location filename="app/lab/memories_tab.py"/>
        <source>Head {at}</source>
        <translation>第 {at} 头</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Layers. Tall: full attention, keys and values of every token. Short: linear attention, one state.</source>
        <translation>层。高：全注意力，每个 token 的键和值。矮：线性注意力，一个状态。</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Layer {found}: full attention</source>
        <translation>第 {found} 层：全注意力</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Layer {found}: linear attention</source>
        <translation>第 {found} 层：线性注意力</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>full-attention layer</source>
        <translation>全注意力层</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>linear layer</source>
        <translation>线性层</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Context length in tokens</source>
        <translation>以 token 计的上下文长度</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>NOW</source>
        <translation>现在</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>No messages yet</source>
        <translation>还没有消息</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>At {tokens}, layer {chosen}</source>
        <translation>{tokens} 时，第 {chosen} 层</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>{names}, to scale</source>
        <translation>{names}，按比例</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>At {tokens}: {sizes}.</source>
        <translation>{tokens} 时：{sizes}。</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>AT {tokens}</source>
        <translation>{tokens} 时</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>{title}. {lines} Now: {now}</source>
        <translation>{title}。{lines} 现在：{now}</translation>
    </message>
    <message>
        <location filename="app/lab/memory_tab.py"/>
        <source>This conversation: {tokens}</source>
        <translation>此对话：{tokens}</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>requests, sums on a logarithmic axis</source>
        <translation>请求，累计为对数轴</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>Positions in sum</source>
        <translation>累计位置数</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>POSITIONS OF EACH REQUEST</source>
        <translation>各请求的位置数</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>IN SUM</source>
        <translation>累计</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>decoded</source>
        <translation>解码</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>the same request cold</source>
        <translation>同一请求冷运行</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>POSITIONS PROCESSED, EXACT</source>
        <translation>处理的位置数（精确）</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>MEASURED TIME A TOKEN</source>
        <translation>每个 token 的实测时间</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{name}, to scale</source>
        <translation>{name}，按比例</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{requests} since the model was opened</source>
        <translation>模型打开以来 {requests}</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{requests}, recorded with the bundled model</source>
        <translation>{requests}，由内置模型录制</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{name}, positions</source>
        <translation>{name}，位置数</translation>
    </message>
    <message>
        <location filename="app/lab/phases_tab.py"/>
        <source>{name}, time a token</source>
        <translation>{name}，每个 token 的时间</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>The needle in each layer</source>
        <translation>各层中的“针”</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>share of what full attention reads</source>
        <translation>占全注意力所读内容的比例</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>share of what a linear layer reads</source>
        <translation>占线性层所读内容的比例</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>answer of the state to the needle's key</source>
        <translation>状态对“针”的键的回应</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Find a word</source>
        <translation>查找词语</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Find a word to be the needle</source>
        <translation>查找一个词作为“针”</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Previous moment</source>
        <translation>上一个时刻</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Next moment</source>
        <translation>下一个时刻</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>share of what is read, 0 to 100%</source>
        <translation>占所读内容的比例，0 至 100%</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>own key, 0 to 1</source>
        <translation>自身的键，0 至 1</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>Needle: {needle}, tokens {first:,} to {end:,}</source>
        <translation>针：{needle}，token {first:,} 至 {end:,}</translation>
    </message>
    <message>
        <location filename="app/lab/recall_tab.py"/>
        <source>"{text}" is not among these tokens.</source>
        <translation>这些 token 中没有“{text}”。</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>The story</source>
        <translation>导览</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>Step of the story</source>
        <translation>导览步骤</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>Leave the story</source>
        <translation>离开导览</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>Let the figure move again</source>
        <translation>重新播放图示</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>THE STORY</source>
        <translation>导览</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>✓ Done</source>
        <translation>✓ 完成</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>Explore freely</source>
        <translation>自由探索</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>TRY IT</source>
        <translation>试一试</translation>
    </message>
    <message>
        <location filename="app/lab/story_panel.py"/>
        <source>{done} of {steps} done</source>
        <translation>完成 {done}/{steps}</translation>
    </message>
    <message>
        <location filename="app/lab/token_field.py"/>
        <source>Needle: {texts}</source>
        <translation>针：{texts}</translation>
    </message>
    <message>
        <location filename="app/lab/tree_tab.py"/>
        <source>An example, recorded with the bundled model; once something is cached, your own tree stands here.</source>
        <translation>由内置模型录制的示例；有内容缓存之后，这里显示你自己的树。</translation>
    </message>
    <message>
        <location filename="app/lab/tree_tab.py"/>
        <source>What the open model has cached of all conversations.</source>
        <translation>当前模型为所有对话缓存的内容。</translation>
    </message>
    <message>
        <location filename="app/lab/tree_tab.py"/>
        <source>KV plane: {tokens}, {size}</source>
        <translation>KV 平面：{tokens}，{size}</translation>
    </message>
    <message>
        <location filename="app/lab/tree_tab.py"/>
        <source>State plane: {points}, {size}</source>
        <translation>状态平面：{points}，{size}</translation>
    </message>
    <message>
        <location filename="app/lab/turn_bars.py"/>
        <source>Positions of each request</source>
        <translation>各请求的位置数</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Two memories</source>
        <translation>两种记忆</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Prefill and decode</source>
        <translation>预填充与解码</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Recall</source>
        <translation>回忆</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Save a picture of this tab, or its figures</source>
        <translation>保存此标签页的图片或数据</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Picture…</source>
        <translation>图片…</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Figures as CSV…</source>
        <translation>数据 (CSV)…</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Memory lab</source>
        <translation>内存实验室</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Story</source>
        <translation>导览</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Twelve short steps through these figures</source>
        <translation>用十二个小步骤了解这些图</translation>
    </message>
    <message>
        <location filename="app/lab/window.py"/>
        <source>Memory lab: {name}</source>
        <translation>内存实验室：{name}</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Chat with a model that another program serves, here or on another computer: llama-server, vLLM, SGLang, another Biplane, or any server with an OpenAI-compatible address.</source>
        <translation>与另一个程序（在本机或其他电脑上）提供的模型聊天：llama-server、vLLM、SGLang、另一个 Biplane，或任何提供 OpenAI 兼容地址的服务器。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>What you write there, and the token, can be read by others on the way: http:// does not encrypt. Use https://, or a tunnel to this computer.</source>
        <translation>您输入的内容和令牌在传输途中可能被他人读取：http:// 不加密。请使用 https:// 或到本机的隧道。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Connect to an engine elsewhere</source>
        <translation>连接到别处的引擎</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Address of the server</source>
        <translation>服务器地址</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Token of the server</source>
        <translation>服务器令牌</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>none, or the one that is kept</source>
        <translation>无，或已保存的令牌</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Keep the token in this system's keyring</source>
        <translation>将令牌保存在系统密钥环中</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Otherwise it is forgotten when Biplane is closed</source>
        <translation>否则 Biplane 关闭时即忘记</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Model of the server</source>
        <translation>服务器的模型</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>found by a trial</source>
        <translation>通过试连查找</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Address of the counters</source>
        <translation>计数器地址</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>/metrics of the same server</source>
        <translation>同一服务器的 /metrics</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Address of the KV events</source>
        <translation>KV 事件地址</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>none, or tcp://127.0.0.1:5557</source>
        <translation>无，或 tcp://127.0.0.1:5557</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>After a space that of their replay; after a comma those of another engine</source>
        <translation>空格后为其重播地址；逗号后为另一个引擎的地址</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Result of the trial</source>
        <translation>试连结果</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Find models</source>
        <translation>查找模型</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>a server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Found {who} with {count} models: choose one.</source>
        <translation>找到 {who}，有 {count} 个模型：请选择一个。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>An engine has one address of KV events, and one of their replay.</source>
        <translation>每个引擎有一个 KV 事件地址和一个重播地址。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>&amp;Token</source>
        <translation>令牌(&amp;T)</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>C&amp;ounters</source>
        <translation>计数器(&amp;O)</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>&amp;KV events</source>
        <translation>KV 事件(&amp;K)</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Choose one of the server's models.</source>
        <translation>请选择服务器的一个模型。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Engine {number}</source>
        <translation>引擎 {number}</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Connecting to {place}…</source>
        <translation>正在连接 {place}…</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>{typed} is not an address of KV events: enter one as in tcp://127.0.0.1:5557, after a space that of their replay, and a comma before another engine's.</source>
        <translation>{typed} 不是 KV 事件地址：请按 tcp://127.0.0.1:5557 的形式输入，空格后为重播地址，另一个引擎之前加逗号。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>The trial was stopped.</source>
        <translation>试连已停止。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>Found {who} with one model.</source>
        <translation>找到 {who}，有一个模型。</translation>
    </message>
    <message>
        <location filename="app/models/connecting.py"/>
        <source>The connection failed: {error}.</source>
        <translation>连接失败：{error}。</translation>
    </message>
    <message>
        <location filename="app/models/controller.py"/>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <location filename="app/models/controller.py"/>
        <source>not searched</source>
        <translation>未能搜索</translation>
    </message>
    <message>
        <location filename="app/models/controller.py"/>
        <source>{name} is in the trash.</source>
        <translation>{name} 已在回收站中。</translation>
    </message>
    <message>
        <location filename="app/models/controller.py"/>
        <source>{name} is downloaded, and every file of it verified.</source>
        <translation>{name} 已下载，所有文件均已校验。</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Open its page</source>
        <translation>打开其页面</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Token, as in hf_…</source>
        <translation>令牌，形如 hf_…</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Token for Hugging Face</source>
        <translation>Hugging Face 令牌</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Keep it in the system's keyring</source>
        <translation>保存在系统密钥环中</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Use this token</source>
        <translation>使用此令牌</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Cancel download</source>
        <translation>取消下载</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Show files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>How much memory it needs is being found out…</source>
        <translation>正在查明所需内存…</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>FILES</source>
        <translation>文件</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Open another model first: this one is in use.</source>
        <translation>请先打开另一个模型：此模型正在使用。</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>{done} of {total} are here; the rest is still to be fetched.</source>
        <translation>已有 {done} / {total}；其余部分尚待获取。</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>{about}.</source>
        <translation>{about}。</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Copy checksum of {name}</source>
        <translation>复制 {name} 的校验和</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>licence: {name}</source>
        <translation>许可证：{name}</translation>
    </message>
    <message>
        <location filename="app/models/detail.py"/>
        <source>Move {name} to the trash? It takes {size}; to use it again it has to be downloaded again, or brought back from the trash.</source>
        <translation>将 {name} 移到回收站？它占 {size}；再次使用需重新下载，或从回收站恢复。</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Download one that fits this machine, or choose a file.</source>
        <translation>下载一个适合这台电脑的模型，或选择一个文件。</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>A Qwen3.5, Qwen3.6 or Qwen3-Next model: its .gguf file, or the config.json of the folder with tokenizer.json and *.safetensors</source>
        <translation>Qwen3.5、Qwen3.6 或 Qwen3-Next 模型：它的 .gguf 文件，或者含有 tokenizer.json 和 *.safetensors 的文件夹中的 config.json</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>The model could not be opened</source>
        <translation>无法打开模型</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>There is no connection</source>
        <translation>没有连接</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Find a model…</source>
        <translation>查找模型…</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Models to download, and which of them fit this machine</source>
        <translation>可下载的模型，以及哪些适合这台机器</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Choose another file…</source>
        <translation>选择其他文件…</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Chat with a model that another program serves</source>
        <translation>与另一个程序提供的模型聊天</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Copy diagnostics</source>
        <translation>复制诊断信息</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>{name} has stopped</source>
        <translation>{name} 已停止</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>{name} could not be opened</source>
        <translation>无法打开 {name}</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Continue with {previous}</source>
        <translation>继续使用 {previous}</translation>
    </message>
    <message>
        <location filename="app/models/failure_card.py"/>
        <source>Reopen {previous}</source>
        <translation>重新打开 {previous}</translation>
    </message>
    <message>
        <location filename="app/models/findings.py"/>
        <source>config.json is not a model's.</source>
        <translation>config.json 不是模型的配置。</translation>
    </message>
    <message>
        <location filename="app/models/findings.py"/>
        <source>There is no trash for {folder}: delete that folder yourself.</source>
        <translation>{folder} 没有回收站：请自行删除该文件夹。</translation>
    </message>
    <message>
        <location filename="app/models/findings.py"/>
        <source>Looking it up failed ({kind}): try again.</source>
        <translation>查询失败（{kind}）：请重试。</translation>
    </message>
    <message>
        <location filename="app/models/findings.py"/>
        <source>config.json of {repo} cannot be read.</source>
        <translation>无法读取 {repo} 的 config.json。</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>Closing…</source>
        <translation>正在关闭…</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>Loading {share}</source>
        <translation>正在加载 {share}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>Opening {name}: {stage}{share}</source>
        <translation>正在打开 {name}：{stage}{share}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{numbers} on {device}{kernels}</source>
        <translation>{numbers}，{device}{kernels}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{weights} weights, {dtype}</source>
        <translation>{weights} 权重，{dtype}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>How long its context is, the server does not say</source>
        <translation>服务器未说明其上下文长度</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{program} at {place}</source>
        <translation>{program}，位于 {place}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{model}, served by {program}</source>
        <translation>{model}，由 {program} 提供</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{parameters} parameters in {weight_bytes}, {numbers} on {device}</source>
        <translation>{parameters} 个参数，占 {weight_bytes}，{numbers}，运行于 {device}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{layers} layers: {linear_layers} linear, {full_layers} attention</source>
        <translation>{layers} 层：{linear_layers} 层线性，{full_layers} 层注意力</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{kv_bytes_per_token} of KV per token, {checkpoint_bytes} per checkpoint</source>
        <translation>每个 token 的 KV 占 {kv_bytes_per_token}，每个检查点占 {checkpoint_bytes}</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>{count} parameters</source>
        <translation>{count} 个参数</translation>
    </message>
    <message>
        <location filename="app/models/logic/open_model.py"/>
        <source>A context of {count} tokens</source>
        <translation>上下文 {count} 个 token</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>This folder is no longer there.</source>
        <translation>该文件夹已不存在。</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>This is no longer a folder.</source>
        <translation>它已不再是文件夹。</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>This download is not finished: fetch the rest in View &gt; Models.</source>
        <translation>该下载尚未完成：请在“视图 &gt; 模型”中获取其余部分。</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>There is no config.json in this folder any more.</source>
        <translation>该文件夹中已没有 config.json。</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>This file is no longer there.</source>
        <translation>这个文件已不存在。</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>This folder cannot be read ({strerror}).</source>
        <translation>无法读取该文件夹（{strerror}）。</translation>
    </message>
    <message>
        <location filename="app/models/logic/recent_models.py"/>
        <source>unknown error</source>
        <translation>未知错误</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Bundled: a small demo, not for real questions</source>
        <translation>内置：小型演示，不适合真正的问题</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Downloaded and verified</source>
        <translation>已下载并校验</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>A folder of yours</source>
        <translation>您的文件夹</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>A GGUF file on this computer</source>
        <translation>这台电脑上的 GGUF 文件</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Download not finished</source>
        <translation>下载未完成</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>On Hugging Face</source>
        <translation>在 Hugging Face 上</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>fits this machine</source>
        <translation>适合本机</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>fits in part</source>
        <translation>部分适合</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>does not fit this machine</source>
        <translation>不适合本机</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>has a problem</source>
        <translation>有问题</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Open now</source>
        <translation>已打开</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>a licence of its own</source>
        <translation>自有许可证</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>not stated</source>
        <translation>未说明</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>GPU memory</source>
        <translation>GPU 内存</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>working memory</source>
        <translation>工作内存</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>The file's own format is kept: nothing in it is rounded again.</source>
        <translation>保留文件自身的格式：其中的数值不会再次舍入。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Measuring this machine in the background; it stops while an answer is written.</source>
        <translation>正在后台测量本机；写回答时会暂停。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>This machine has not been measured yet, so speeds are not known.</source>
        <translation>尚未测量本机，因此速度未知。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>ON HUGGING FACE</source>
        <translation>在 Hugging Face 上</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>{size} on disk</source>
        <translation>磁盘占用 {size}</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>{size} to download</source>
        <translation>需下载 {size}</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>{whole}, {count} active</source>
        <translation>{whole}，激活 {count}</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>{count} tokens of context</source>
        <translation>{count} 个 token 的上下文</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Does not fit: it needs {needed} for {context}, and other programs leave {free} of {where}.</source>
        <translation>放不下：{context}需要 {needed}，而其他程序留出的{where}为 {free}。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Choose {name}: it writes about {times} times as fast as {other} here.</source>
        <translation>选择 {name}：在本机上写出速度约为 {other} 的 {times} 倍。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Its speed would depend on the disk, from which experts are read.</source>
        <translation>专家要从磁盘读取，其速度取决于磁盘。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>It is too small for its speed to be reckoned from this machine's figures.</source>
        <translation>它太小，无法根据本机的测量数据推算速度。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Speeds are reckoned from a measurement of this machine on {date}.</source>
        <translation>速度依据 {date} 对本机的测量估算。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>its longest context, {count} tokens</source>
        <translation>其最长上下文（{count} 个 token）</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Fits with {room} of its experts in {where} and the others read from the files: it would be slower.</source>
        <translation>可容纳：{room} 的专家放在{where}中，其余从文件读取，会较慢。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Fits: {needed} of the {free} of {where} that other programs leave, for {context}.</source>
        <translation>放得下：{context}需要 {needed}，其他程序留出的{where}为 {free}。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>No format fits: {size} would be needed. Choose a shorter context, close other programs, or take a smaller model.</source>
        <translation>没有格式放得下：需要 {size}。请选择更短的上下文、关闭其他程序，或换用更小的模型。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>No format fits whole. {name} comes closest; with less context or more free memory it would be faster.</source>
        <translation>没有格式能完整放下。{name} 最接近；减少上下文或增加空闲内存会更快。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Choose {name}: it is the model as published, and fewer bits are hardly faster here.</source>
        <translation>选择 {name}：它与发布的模型一致，而减少位数在本机上几乎不会更快。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Choose {name}: {other} does not fit.</source>
        <translation>选择 {name}：{other} 放不下。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>reads {rate}</source>
        <translation>读取 {rate}</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>writes {rate}</source>
        <translation>写出 {rate}</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>Choose {name}: it fits, and is the model as published.</source>
        <translation>选择 {name}：放得下，且与发布的模型一致。</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>about {count} parameters</source>
        <translation>约 {count} 参数</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>about {size} to download</source>
        <translation>约需下载 {size}</translation>
    </message>
    <message>
        <location filename="app/models/logic/rows.py"/>
        <source>ON THIS COMPUTER</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <location filename="app/models/logic/seeking.py"/>
        <source>small</source>
        <translation>小</translation>
    </message>
    <message>
        <location filename="app/models/logic/seeking.py"/>
        <source>large</source>
        <translation>大</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>small and quick</source>
        <translation>小而快</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>for everyday questions</source>
        <translation>适合日常问题</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>a good all-rounder</source>
        <translation>各方面均衡</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>writes and codes well</source>
        <translation>擅长写作和编程</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>strong, wants a GPU</source>
        <translation>能力强，需要 GPU</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>large, and yet quick</source>
        <translation>规模大，但速度快</translation>
    </message>
    <message>
        <location filename="app/models/logic/shelf.py"/>
        <source>needs much memory</source>
        <translation>需要大量内存</translation>
    </message>
    <message>
        <location filename="app/models/model_button.py"/>
        <source>Model: {name}</source>
        <translation>模型：{name}</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>Context for which it shall fit</source>
        <translation>需要容纳的上下文</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>Measure now</source>
        <translation>立即测量</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>Writes</source>
        <translation>写出</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>FIT</source>
        <translation>适配</translation>
    </message>
    <message>
        <location filename="app/models/needs_part.py"/>
        <source>FORMATS</source>
        <translation>格式</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Fewer bits take less memory and answer faster, but change the answers slightly: 4 bits made here do so more than a Q4_K_M file of the same model. Only mixture-of-experts models have routed experts: those that do not fit the memory given here are read from the files when needed.</source>
        <translation>位数越少，占用内存越少、回答越快，但回答会略有不同：此处生成的 4 位权重比同一模型的 Q4_K_M 文件偏差更大。只有混合专家模型才有路由专家：此处给定的内存放不下的专家会在需要时从文件读取。</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>As stored in the files</source>
        <translation>与文件中存储的一致</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>8 bits (int8)</source>
        <translation>8 位 (int8)</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>4 bits (int4)</source>
        <translation>4 位 (int4)</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Choose a .gguf file, or the config.json of a model folder</source>
        <translation>选择 .gguf 文件，或模型文件夹中的 config.json</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Cancel opening the model</source>
        <translation>取消打开模型</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Models ({patterns})</source>
        <translation>模型（{patterns}）</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Weights and experts</source>
        <translation>权重与专家</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Memory for routed experts</source>
        <translation>路由专家的内存</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Which format suits this machine</source>
        <translation>哪种格式适合本机</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Reload model</source>
        <translation>重新加载模型</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Use for next model</source>
        <translation>用于下一个模型</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>All files ({patterns})</source>
        <translation>所有文件（{patterns}）</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>No model was opened yet</source>
        <translation>还没有打开过模型</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source>Choose</source>
        <translation>请选择</translation>
    </message>
    <message>
        <location filename="app/models/opening.py"/>
        <source> in {place}</source>
        <translation>，位于 {place}</translation>
    </message>
    <message>
        <location filename="app/models/recent_menu.py"/>
        <source>This model is open.</source>
        <translation>该模型已打开。</translation>
    </message>
    <message>
        <location filename="app/models/recent_menu.py"/>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Search: name, 4b, small, fits…</source>
        <translation>搜索：名称、4b、small、fits…</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Here and on Hugging Face: parts of a name, a size such as 4b, small, large, fits; or a repository's owner/name</source>
        <translation>搜索本机和 Hugging Face：名称的一部分、4b 这样的规模、小（small）、大（large）、放得下（fits），或仓库的 owner/name</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Search models here and on Hugging Face</source>
        <translation>在本机和 Hugging Face 上搜索模型</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Look up</source>
        <translation>查询</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Find my GGUF files</source>
        <translation>查找我的 GGUF 文件</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>In the folders of LM Studio, llama.cpp, Jan and Hugging Face; Settings can undo it</source>
        <translation>在 LM Studio、llama.cpp、Jan 和 Hugging Face 的文件夹中查找；可在设置中撤销</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>Asking…</source>
        <translation>正在查询…</translation>
    </message>
    <message>
        <location filename="app/models/window.py"/>
        <source>open now</source>
        <translation>已打开</translation>
    </message>
    <message>
        <location filename="app/server/serving.py"/>
        <source>The server stopped; the log says why.</source>
        <translation>服务器已停止，原因见日志。</translation>
    </message>
    <message>
        <location filename="app/server/serving.py"/>
        <source>Stop server</source>
        <translation>停止服务器</translation>
    </message>
    <message>
        <location filename="app/server/serving.py"/>
        <source>Start server</source>
        <translation>启动服务器</translation>
    </message>
    <message>
        <location filename="app/server/serving.py"/>
        <source>The server is stopped.</source>
        <translation>服务器已停止。</translation>
    </message>
    <message>
        <location filename="app/server/serving.py"/>
        <source>The server runs at {url}.</source>
        <translation>服务器运行于 {url}。</translation>
    </message>
    <message>
        <location filename="app/settings/form.py"/>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <location filename="app/settings/form.py"/>
        <source>Advanced · {count} changed</source>
        <translation>高级 · 已更改 {count} 项</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>Computes on an NVIDIA card. It comes from PyPI, is checked on this computer, and is used from the next start on; without it everything works on the processor.</source>
        <translation>在 NVIDIA 显卡上计算。它来自 PyPI，会在这台电脑上检查，并从下次启动起使用；没有它，一切都在处理器上运行。</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>gpu graphics nvidia download install remove</source>
        <translation>gpu 显卡 nvidia 下载 安装 移除</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>Progress of the CUDA part</source>
        <translation>CUDA 组件的进度</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>Install…</source>
        <translation>安装…</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>Installed, but not checked yet.</source>
        <translation>已安装，但尚未检查。</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>Not installed; {size} to download, and about twice that on the disk.</source>
        <translation>未安装；需下载 {size}，在磁盘上约占两倍空间。</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <location filename="app/settings/page/cuda.py"/>
        <source>{done} of {size} have come.</source>
        <translation>已下载 {size} 中的 {done}。</translation>
    </message>
    <message>
        <location filename="app/settings/page/page.py"/>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <location filename="app/settings/page/page.py"/>
        <source>Sections</source>
        <translation>分类</translation>
    </message>
    <message>
        <location filename="app/settings/page/page.py"/>
        <source>No setting is called “{words}”.</source>
        <translation>没有名为“{words}”的设置。</translation>
    </message>
    <message>
        <location filename="app/settings/page/rows.py"/>
        <source>Open the model again</source>
        <translation>重新打开模型</translation>
    </message>
    <message>
        <location filename="app/settings/page/rows.py"/>
        <source>{title} {problem}.</source>
        <translation>{title}{problem}。</translation>
    </message>
    <message>
        <location filename="app/settings/page/rows.py"/>
        <source>Back to the default: {value}</source>
        <translation>恢复默认：{value}</translation>
    </message>
    <message>
        <location filename="app/settings/page/rows.py"/>
        <source>The command line of this start says: {value}.</source>
        <translation>本次启动的命令行指定：{value}。</translation>
    </message>
    <message>
        <location filename="app/settings/page/rows.py"/>
        <source>Waits for the next start.</source>
        <translation>等待下次启动。</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Model and device</source>
        <translation>模型与设备</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Download models, see which fit this machine, and open them.</source>
        <translation>下载模型，查看哪些适合本机，并打开它们。</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>hugging face fit</source>
        <translation>hugging face 适配</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Temperature, length, system text and presets belong to each conversation.</source>
        <translation>温度、长度、系统文本和预设属于各个对话。</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>sampling temperature system</source>
        <translation>采样 温度 系统文本</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>For when something is wrong; this is version {version}.</source>
        <translation>出现问题时使用；当前版本为 {version}。</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Log and cache</source>
        <translation>日志与缓存</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>invariants version about</source>
        <translation>不变量 版本 关于</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Memory, disks, folders, processor, graphics driver and display; and a deeper look.</source>
        <translation>内存、磁盘、文件夹、处理器、显卡驱动和显示；还可以深入检查。</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>self test problem driver</source>
        <translation>自检 问题 驱动</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Open its settings</source>
        <translation>打开其设置</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Check cache</source>
        <translation>检查缓存</translation>
    </message>
    <message>
        <location filename="app/settings/page/sections.py"/>
        <source>Check…</source>
        <translation>检查…</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>Token</source>
        <comment>of a server</comment>
        <translation>令牌</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>Programs send it as their API key. A new one shuts out whoever has the old one.</source>
        <translation>程序将其作为 API 密钥发送。换用新令牌后，持有旧令牌者将无法访问。</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>base url endpoint api copy</source>
        <translation>基础网址 端点 接口 api 复制</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>api key password secret</source>
        <translation>api 密钥 密码</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>Copy token</source>
        <translation>复制令牌</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>New token</source>
        <translation>新令牌</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>The server does not run.</source>
        <translation>服务器未运行。</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>Address for OpenAI clients</source>
        <translation>OpenAI 客户端的地址</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>Address for Anthropic clients</source>
        <translation>Anthropic 客户端的地址</translation>
    </message>
    <message>
        <location filename="app/settings/page/server.py"/>
        <source>Copy {title}</source>
        <translation>复制{title}</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>Press keys…</source>
        <translation>请按键…</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>Press to set other keys; Backspace takes them away.</source>
        <translation>按下以设置其他按键；Backspace 清除。</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>Take them from it</source>
        <translation>改为用于此处</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>All shortcuts</source>
        <translation>所有快捷键</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>Press a button below, then the keys you want.</source>
        <translation>按下下面的按钮，再按想用的按键。</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>text fields</source>
        <translation>文本框</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>Keys of {title}: {keys}</source>
        <translation>{title}的按键：{keys}</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>{keys} is taken by “{other}”.</source>
        <translation>{keys} 已被“{other}”占用。</translation>
    </message>
    <message>
        <location filename="app/settings/page/shortcuts.py"/>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>folder where path file size big disk space remove clear privacy</source>
        <translation>文件夹 位置 路径 文件 大小 磁盘 空间 移除 清除 隐私</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>All of the above. Files that you saved elsewhere, such as traces, stay.</source>
        <translation>以上所有内容。您保存在别处的文件（例如轨迹）会保留。</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Export and import</source>
        <translation>导出与导入</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>All conversations in one file, and from such files of other programs, too.</source>
        <translation>将所有对话存入一个文件，也可从其他程序的此类文件导入。</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>save backup move</source>
        <translation>保存 备份 迁移</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Export all…</source>
        <translation>全部导出…</translation>
    </message>
    <message>
        <location filename="app/settings/page/storage.py"/>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Rename preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Model's defaults</source>
        <translation>模型默认值</translation>
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
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Presets: {current}</source>
        <translation>预设：{current}</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>{name}. Choose, save, rename or delete one.</source>
        <translation>{name}。可选择、保存、重命名或删除预设。</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>{title}, changed</source>
        <translation>{title}，已更改</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>No presets yet</source>
        <translation>还没有预设</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Save as preset…</source>
        <translation>另存为预设…</translation>
    </message>
    <message>
        <location filename="app/settings/panel.py"/>
        <source>Another preset is called “{name}”.</source>
        <translation>已有另一个名为“{name}”的预设。</translation>
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
        <source>Choose what goes into the preset.</source>
        <translation>请选择要存入预设的内容。</translation>
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
        <location filename="app/shell/arrivals.py"/>
        <source>Not everything could be opened</source>
        <translation>有些内容无法打开</translation>
    </message>
    <message>
        <location filename="app/shell/arrivals.py"/>
        <source>{name} was left out: one model and one trace can be open at a time.</source>
        <translation>已略过 {name}：一次只能打开一个模型和一条轨迹。</translation>
    </message>
    <message>
        <location filename="app/shell/arrivals.py"/>
        <source>That could not be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Everything is in order.</source>
        <translation>一切正常。</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>in order</source>
        <translation>正常</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>works, with less than is possible</source>
        <translation>可用，但未达最佳</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>does not work</source>
        <translation>不可用</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Deeper look</source>
        <translation>深入检查</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Something does not work. What to do is said with each.</source>
        <translation>有些功能不可用。每一项都说明了解决办法。</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Everything works; some of it could be better.</source>
        <translation>一切可用；有些可以更好。</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Check this computer</source>
        <translation>检查这台电脑</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Looking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Look deeper</source>
        <translation>深入检查</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Also runs the kernels, the bundled model, its cache, the server and a window; takes about a minute</source>
        <translation>还会运行计算内核、自带模型及其缓存、服务器和一个窗口；大约需要一分钟</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>The check could not be started.</source>
        <translation>无法启动检查。</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Asking for a newer version…</source>
        <translation>正在查询新版本…</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Something is wrong with this computer</source>
        <translation>这台电脑有问题</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Show it</source>
        <translation>查看</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>The check ended without a report (code {code}).</source>
        <translation>检查结束但没有报告（代码 {code}）。</translation>
    </message>
    <message>
        <location filename="app/shell/checkup.py"/>
        <source>It is at {page}.</source>
        <translation>地址是 {page}。</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>The installation could not be started.</source>
        <translation>无法启动安装。</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>Remove the CUDA part?</source>
        <translation>移除 CUDA 组件？</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>{sentence} The CUDA part is not used.</source>
        <translation>{sentence}不使用 CUDA 组件。</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>Unpacking {name}…</source>
        <translation>正在解压 {name}…</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>Fetching {name}…</source>
        <translation>正在获取 {name}…</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>The CUDA part is removed.</source>
        <translation>CUDA 组件已移除。</translation>
    </message>
    <message>
        <location filename="app/shell/cuda_part.py"/>
        <source>{sentence} It is used from the next start on.</source>
        <translation>{sentence}从下次启动起使用。</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Local chat with hybrid models on a two-plane prefix cache.

The upper wing keeps keys and values, the lower one keeps recurrent states.

What you write stays on this computer, unless you connect to an engine elsewhere. Models are downloaded only when you ask for them.</source>
        <translation>基于双平面前缀缓存的混合模型本地聊天。

上翼保存键和值，下翼保存循环状态。

您写的内容会留在这台电脑上，除非您连接到别处的引擎。只有在您要求时才会下载模型。</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Message field and lists</source>
        <translation>消息框与列表</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>About Biplane</source>
        <translation>关于 Biplane</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>send, or queue while an answer is written</source>
        <translation>发送；回答尚未写完时排队</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>remove an attached file (on its chip)</source>
        <translation>移除附加的文件（焦点在文件标签上时）</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>next, previous and open (while searching)</source>
        <translation>下一个、上一个、打开（搜索时）</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>next and previous match (while finding)</source>
        <translation>下一处、上一处匹配（查找时）</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>rename or delete a conversation (in the list)</source>
        <translation>重命名或删除对话（在列表中）</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>context menu (tree and list)</source>
        <translation>右键菜单（树与列表）</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Wheel, Shift+Wheel, drag</source>
        <translation>滚轮、Shift+滚轮、拖动</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>tree: zoom, move</source>
        <translation>树：缩放、移动</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Debugger</source>
        <translation>调试器</translation>
    </message>
    <message>
        <location filename="app/shell/dialogs.py"/>
        <source>Version {app_version}</source>
        <translation>版本 {app_version}</translation>
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
        <source>A file was not imported</source>
        <translation>有文件未能导入</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Nothing was exported</source>
        <translation>没有导出任何内容</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Choose another place…</source>
        <translation>选择其他位置…</translation>
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
        <source>Open what was imported</source>
        <translation>打开导入的内容</translation>
    </message>
    <message>
        <location filename="app/shell/exchange.py"/>
        <source>Importing {name}…</source>
        <translation>正在导入 {name}…</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>If you skip the rest, earlier prompts are processed again next time. Nothing else is affected.</source>
        <translation>如果跳过剩余部分，下次需要重新处理之前的提示词，其他不受影响。</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Quitting now loses what is in this window only. To keep it, save all conversations to a file elsewhere, which File &gt; Import reads again; texts that are not sent yet are not part of it.</source>
        <translation>现在退出会丢失只存在于此窗口中的内容。要保留它们，请把所有对话保存到别处的文件，之后可用“文件 &gt; 导入”重新读取；尚未发送的文字不包括在内。</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Quit Biplane</source>
        <translation>退出 Biplane</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>Quit without saving</source>
        <translation>不保存并退出</translation>
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
        <location filename="app/shell/farewell.py"/>
        <source>Save elsewhere…</source>
        <translation>保存到别处…</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>The conversation “{title}” is not saved.</source>
        <translation>对话“{title}”尚未保存。</translation>
    </message>
    <message>
        <location filename="app/shell/farewell.py"/>
        <source>{count} conversations are not saved.</source>
        <translation>{count} 个对话尚未保存。</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>Display</source>
        <translation>显示</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>Windows are drawn, and shown nowhere.</source>
        <translation>窗口会绘制，但不显示在任何地方。</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>Windows can be shown.</source>
        <translation>可以显示窗口。</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>conversations and models</source>
        <translation>对话和模型</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>cache files</source>
        <translation>缓存文件</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>log and crash reports</source>
        <translation>日志和崩溃报告</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>Windows appear on Wayland ({name}).</source>
        <translation>窗口显示在 Wayland（{name}）上。</translation>
    </message>
    <message>
        <location filename="app/shell/findings.py"/>
        <source>Windows appear on X11 ({name}).</source>
        <translation>窗口显示在 X11（{name}）上。</translation>
    </message>
    <message>
        <location filename="app/shell/main.py"/>
        <source>Biplane is running already; its window is in front now.</source>
        <translation>Biplane 已在运行，其窗口已置于前台。</translation>
    </message>
    <message>
        <location filename="app/shell/main.py"/>
        <source>Biplane cannot continue ({name}). Its log is {path}.</source>
        <translation>Biplane 无法继续（{name}）。日志位于 {path}。</translation>
    </message>
    <message>
        <location filename="app/shell/palette.py"/>
        <source>Search all messages for “{words}”</source>
        <translation>在所有消息中搜索“{words}”</translation>
    </message>
    <message>
        <location filename="app/shell/palette.py"/>
        <source>not now</source>
        <translation>目前不可用</translation>
    </message>
    <message>
        <location filename="app/shell/palette.py"/>
        <source>open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="app/shell/palette.py"/>
        <source>needs {what}</source>
        <translation>需要{what}</translation>
    </message>
    <message>
        <location filename="app/shell/preferences.py"/>
        <source>The setting counts, but {problem}.</source>
        <translation>设置已生效，但{problem}。</translation>
    </message>
    <message>
        <location filename="app/shell/preflight.py"/>
        <source>Biplane found no display. Start it from a desktop, or set QT_QPA_PLATFORM=offscreen to take screenshots.</source>
        <translation>Biplane 没有找到显示器。请从桌面启动，或设置 QT_QPA_PLATFORM=offscreen 来截图。</translation>
    </message>
    <message>
        <location filename="app/shell/preflight.py"/>
        <source>Biplane's window needs PySide6, which is not installed: run "pip install PySide6-Essentials&lt;6.12".</source>
        <translation>Biplane 的窗口需要 PySide6，但尚未安装：请运行 "pip install PySide6-Essentials&lt;6.12"。</translation>
    </message>
    <message>
        <location filename="app/shell/preflight.py"/>
        <source>Qt cannot load a system library ({error}). On Debian or Ubuntu run: sudo apt install {libraries} {x11_libraries}</source>
        <translation>Qt 无法加载系统库（{error}）。在 Debian 或 Ubuntu 上请运行：sudo apt install {libraries} {x11_libraries}</translation>
    </message>
    <message>
        <location filename="app/shell/preflight.py"/>
        <source>Qt needs a system library that is not installed ({missing}). On Debian or Ubuntu run: sudo apt install {libraries} {x11_libraries}</source>
        <translation>Qt 需要一个未安装的系统库（{missing}）。在 Debian 或 Ubuntu 上请运行：sudo apt install {libraries} {x11_libraries}</translation>
    </message>
    <message>
        <location filename="app/shell/settings_page.py"/>
        <source>{title} needs {what}.</source>
        <translation>{title}：需要{what}。</translation>
    </message>
    <message>
        <location filename="app/shell/settings_page.py"/>
        <source>{title} is not possible now.</source>
        <translation>{title}：现在无法进行。</translation>
    </message>
    <message>
        <location filename="app/shell/settings_page.py"/>
        <source>For this model What if has set {value}, which goes before this.</source>
        <translation>“假设分析”已为此模型设置 {value}，优先于此处。</translation>
    </message>
    <message>
        <location filename="app/shell/settings_page.py"/>
        <source>The open model still has its earlier value.</source>
        <translation>当前打开的模型仍使用之前的值。</translation>
    </message>
    <message>
        <location filename="app/shell/settings_page.py"/>
        <source>An answer is being written. Stop it, or wait for its end.</source>
        <translation>正在写回答。请停止或等待结束。</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>context {used} of {window} ({share:.0%})</source>
        <translation>上下文 {used} / {window}（{share:.0%}）</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>● Server</source>
        <translation>● 服务器</translation>
    </message>
    <message>
        <location filename="app/shell/statusbar.py"/>
        <source>context {share:.0%}</source>
        <translation>上下文 {share:.0%}</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>They are gone from disk when the window closes. Export them first to keep them.</source>
        <translation>窗口关闭时会从磁盘上消失。若要保留，请先导出。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>Conversations, downloaded models, cache files, settings and logs go for good. Biplane quits for that, and stays installed.</source>
        <translation>对话、下载的模型、缓存文件、设置和日志将永久删除。为此 Biplane 会退出，但仍保持安装。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>Delete and quit</source>
        <translation>删除并退出</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>Delete data</source>
        <translation>删除数据</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>A model is being downloaded: pause that in View &gt; Models.</source>
        <translation>正在下载模型：请在“视图 &gt; 模型”中暂停。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>Delete {what} ({size})?</source>
        <translation>删除{what}（{size}）？</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>There are no conversations to delete.</source>
        <translation>没有可删除的对话。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>Delete all {count} conversations?</source>
        <translation>删除全部 {count} 个对话？</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>Delete everything that Biplane keeps ({size})?</source>
        <translation>删除 Biplane 保存的所有内容（{size}）？</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>The open model stays; open another one to delete it.</source>
        <translation>打开着的模型会保留；要删除它，请先打开另一个模型。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>They go when this window closes.</source>
        <translation>此窗口关闭时会删除它们。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>The settings are deleted when this window closes.</source>
        <translation>此窗口关闭时会删除设置。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>{what}: {size} deleted.</source>
        <translation>{what}：已删除 {size}。</translation>
    </message>
    <message>
        <location filename="app/shell/storage.py"/>
        <source>No program on this desktop opens {folder}.</source>
        <translation>此桌面没有可打开 {folder} 的程序。</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>The trace could not be opened</source>
        <translation>无法打开轨迹</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>Report of the last run</source>
        <translation>上次运行的报告</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>This is all that is known about it. It holds no text of your chats, and Biplane sends it nowhere: copy it if you want to show it to somebody.</source>
        <translation>这是已知的全部信息。其中没有您的聊天文本，Biplane 也不会发送到任何地方：如需给他人查看，请复制。</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>The log is {path}; no program on this desktop opens it.</source>
        <translation>日志位于 {path}；此桌面没有可打开它的程序。</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>Something went wrong</source>
        <translation>出现问题</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>There is a problem with your conversations</source>
        <translation>您的对话有问题</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>Biplane ended unexpectedly</source>
        <translation>Biplane 意外结束</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>Diagnostics copied: {count} lines, without text of your chats.</source>
        <translation>已复制诊断信息：{count} 行，不含聊天文本。</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>There is a report of it on this computer; nothing is sent anywhere.</source>
        <translation>这台电脑上有相关报告；不会发送到任何地方。</translation>
    </message>
    <message>
        <location filename="app/shell/troubles.py"/>
        <source>Show report</source>
        <translation>显示报告</translation>
    </message>
    <message>
        <location filename="app/shell/uncaught.py"/>
        <source>An unexpected error occurred ({name}); Help &gt; Show log has the details.</source>
        <translation>发生意外错误（{name}）；详情见“帮助 &gt; 显示日志”。</translation>
    </message>
    <message>
        <location filename="app/shell/window.py"/>
        <source>{sentence} Esc stops it.</source>
        <translation>{sentence}按 Esc 停止。</translation>
    </message>
    <message>
        <location filename="app/ui/export/behind.py"/>
        <source>The file cannot be written: {reason}.</source>
        <translation>无法写入文件：{reason}。</translation>
    </message>
    <message>
        <location filename="app/ui/export/behind.py"/>
        <source>That did not work ({name}); see the log.</source>
        <translation>操作未成功（{name}），请查看日志。</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>PNG (*.png);;SVG (*.svg)</source>
        <translation>PNG (*.png);;SVG (*.svg)</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>Picture of {title}</source>
        <translation>{title}的图片</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>The picture was saved to {name}.</source>
        <translation>图片已保存到 {name}。</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>it may be write-protected, or its format is not known</source>
        <translation>它可能有写保护，或格式未知</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>the file cannot be written</source>
        <translation>无法写入该文件</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>{name} cannot be written: {reason}.</source>
        <translation>无法写入 {name}：{reason}。</translation>
    </message>
    <message>
        <location filename="app/ui/export/picture.py"/>
        <source>{name} was saved.</source>
        <translation>已保存 {name}。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>Words, "phrases", fields and comparisons; - in front leaves out what has it.</source>
        <translation>词、"短语"、字段和比较；前面加 - 则排除符合者。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>“{name}” is a text: look for it like {example}.</source>
        <translation>“{name}”是文本：请像 {example} 这样查找。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>“{name}” is a number: compare it like {example}.</source>
        <translation>“{name}”是数字：请像 {example} 这样比较。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>“{name}” is a time: compare it like {example}.</source>
        <translation>“{name}”是时间：请像 {example} 这样比较。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>“{name}” is a size: compare it like {example}.</source>
        <translation>“{name}”是大小：请像 {example} 这样比较。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>Nothing here is a number.</source>
        <translation>这里没有数字字段。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>There is no field “{name}”: use {names}, or quotation marks.</source>
        <translation>没有字段“{name}”：请用 {names}，或加引号。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>Nothing here has a field “{name}”: put it in quotation marks.</source>
        <translation>这里没有字段“{name}”：请加引号。</translation>
    </message>
    <message>
        <location filename="app/ui/filter.py"/>
        <source>Nothing here is measured in “{unit}”.</source>
        <translation>这里没有以“{unit}”计量的内容。</translation>
    </message>
    <message>
        <location filename="app/ui/filter_line.py"/>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>an open model</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>an open trace</source>
        <translation>打开的轨迹</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>an answer</source>
        <translation>一个回答</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a message of yours</source>
        <translation>一条您的消息</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a deleted conversation</source>
        <translation>已删除的对话</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>&amp;Conversation</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>C&amp;ache</source>
        <translation>缓存(&amp;A)</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Weights and experts…</source>
        <translation>权重与专家…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Export conversation…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Export all conversations…</source>
        <translation>导出所有对话…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Import conversations…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Save trace as…</source>
        <translation>轨迹另存为…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Find in conversation…</source>
        <translation>在对话中查找…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Find anything…</source>
        <translation>查找任何内容…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Search messages…</source>
        <translation>搜索消息…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Go to link of a node…</source>
        <translation>转到节点链接…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Attach files…</source>
        <translation>附加文件…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Continue answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Edit last message</source>
        <translation>编辑上一条消息</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Edit last answer</source>
        <translation>编辑上一个回答</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Settings of this conversation…</source>
        <translation>此对话的设置…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Open this conversation's model</source>
        <translation>打开此对话的模型</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Go on with the open model</source>
        <translation>用当前打开的模型继续</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Evict conversation from cache</source>
        <translation>将对话从缓存中驱逐</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Restore deleted conversation</source>
        <translation>恢复已删除的对话</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Evict deleted conversation from cache</source>
        <translation>将已删除的对话从缓存中驱逐</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Always evict deleted conversations</source>
        <translation>始终驱逐已删除的对话</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Debugger panels</source>
        <translation>调试器面板</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Debugger layouts</source>
        <translation>调试器布局</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Reset debugger layout</source>
        <translation>重置调试器布局</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Show whole tree</source>
        <translation>显示整棵树</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Check cache invariants</source>
        <translation>检查缓存不变量</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Record trace…</source>
        <translation>记录轨迹…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Clear cache</source>
        <translation>清空缓存</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Check this computer…</source>
        <translation>检查这台电脑…</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Check for a newer version</source>
        <translation>检查新版本</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>chat</source>
        <comment>to be found by</comment>
        <translation>聊天 chat</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>load folder</source>
        <translation>加载 文件夹 load</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>remote server OpenAI vLLM SGLang llama</source>
        <translation>远程 服务器 remote OpenAI vLLM SGLang llama</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a model on its way</source>
        <translation>正在加载的模型</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>stop loading</source>
        <translation>停止加载 stop loading</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>format quantise memory</source>
        <translation>格式 量化 内存 quantise</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>recording</source>
        <comment>to be found by</comment>
        <translation>录制 记录 recording</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>recording example</source>
        <translation>录制 示例 example</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a message in the conversation</source>
        <translation>对话中的一条消息</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>save Markdown JSON</source>
        <translation>保存 Markdown JSON</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>save backup</source>
        <translation>保存 备份 backup</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>ChatGPT Open WebUI</source>
        <translation>ChatGPT Open WebUI</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>stop serve api openai anthropic agents</source>
        <translation>停止 服务 接口 api openai anthropic 智能体</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>preferences options</source>
        <translation>首选项 选项</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>exit close</source>
        <translation>退出 关闭 exit</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>palette commands</source>
        <translation>命令面板 命令 palette</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>find text conversations</source>
        <translation>查找 文本 对话 find</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>add upload</source>
        <translation>添加 上传 upload</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>something running</source>
        <translation>正在运行的任务</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>again retry</source>
        <translation>重试 再来一次 retry</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>an answer that was cut</source>
        <translation>被截断的回答</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>more</source>
        <comment>to be found by</comment>
        <translation>更多 more</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>branch copy</source>
        <translation>分支 复制 branch</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a message with several versions</source>
        <translation>有多个版本的消息</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>branch</source>
        <comment>to be found by</comment>
        <translation>分支 branch</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>temperature sampling system text preset</source>
        <translation>温度 采样 系统文本 预设 temperature</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a conversation with another model</source>
        <translation>使用另一个模型的对话</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>switch change</source>
        <translation>切换 更换 switch</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>title</source>
        <comment>to be found by</comment>
        <translation>标题 title</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>top</source>
        <comment>to be found by</comment>
        <translation>置顶 top</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>a conversation that the open model has read</source>
        <translation>已打开的模型读过的对话</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>remove</source>
        <comment>to be found by</comment>
        <translation>移除 删除 remove</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>undo</source>
        <comment>to be found by</comment>
        <translation>撤销 undo</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>list sidebar pane</source>
        <translation>列表 侧栏 sidebar</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>tree pane</source>
        <translation>树 面板 tree</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>zoom fit</source>
        <translation>缩放 适应 fit</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>download fit memory</source>
        <translation>下载 适配 内存</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>empty delete</source>
        <translation>清空 删除 empty</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>help keys</source>
        <translation>帮助 按键 help</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>diagnostics</source>
        <comment>to be found by</comment>
        <translation>诊断 diagnostics</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>report error version</source>
        <translation>报告 错误 版本</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>update upgrade release</source>
        <translation>更新 升级 发布 版本</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>version</source>
        <comment>to be found by</comment>
        <translation>版本 version</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>Follow system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>theme appearance</source>
        <translation>主题 外观 theme</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>theme appearance bright</source>
        <translation>主题 外观 亮色 theme</translation>
    </message>
    <message>
        <location filename="app/ui/menus/command_table.py"/>
        <source>theme appearance night</source>
        <translation>主题 外观 夜间 暗色 theme</translation>
    </message>
    <message>
        <location filename="app/ui/notice_bar.py"/>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <location filename="app/ui/palette/entries.py"/>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <location filename="app/ui/palette/palette.py"/>
        <source>Up and Down choose, Enter opens, Esc closes.</source>
        <translation>上下键选择，Enter 打开，Esc 关闭。</translation>
    </message>
    <message>
        <location filename="app/ui/palette/palette.py"/>
        <source>Palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <location filename="app/ui/palette/palette.py"/>
        <source>Find a command, setting, model or conversation</source>
        <translation>查找命令、设置、模型或对话</translation>
    </message>
    <message>
        <location filename="app/ui/palette/palette.py"/>
        <source>Find anything</source>
        <translation>查找任何内容</translation>
    </message>
    <message>
        <location filename="app/ui/palette/palette.py"/>
        <source>Begin with &gt; for commands alone.</source>
        <translation>以 &gt; 开头则只查命令。</translation>
    </message>
    <message>
        <location filename="app/ui/palette/palette.py"/>
        <source>Nothing is called that.</source>
        <translation>没有叫这个名字的内容。</translation>
    </message>
    <message>
        <location filename="app/ui/table.py"/>
        <source>Sort by</source>
        <translation>排序依据</translation>
    </message>
    <message>
        <location filename="app/ui/table.py"/>
        <source>What it means</source>
        <translation>含义</translation>
    </message>
    <message>
        <location filename="app/ui/table.py"/>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <location filename="app/ui/widgets.py"/>
        <source>Reset {title}</source>
        <translation>重置{title}</translation>
    </message>
    <message>
        <location filename="app/ui/widgets.py"/>
        <source>{name} (Esc)</source>
        <translation>{name}（Esc）</translation>
    </message>
    <message>
        <location filename="engine/analysis/redrafting.py"/>
        <source>The trace has hashes for tokens, so nothing is drafted.</source>
        <translation>该记录中的 token 是哈希值，因此没有草稿。</translation>
    </message>
    <message>
        <location filename="engine/analysis/redrafting.py"/>
        <source>What clients predicted is not in the trace.</source>
        <translation>客户端给出的预测不在该记录中。</translation>
    </message>
    <message>
        <location filename="engine/analysis/redrafting.py"/>
        <source>Nothing is drafted from the files of the disk tier here.</source>
        <translation>这里不从磁盘层的文件中取草稿。</translation>
    </message>
    <message>
        <location filename="engine/analysis/replay.py"/>
        <source>Requests from before the recording are not in the trace, so hits may differ.</source>
        <translation>轨迹不含记录之前的请求，因此命中可能不同。</translation>
    </message>
    <message>
        <location filename="engine/analysis/replay.py"/>
        <source>The device budget has no room for a token: give more with --device-mb.</source>
        <translation>设备预算放不下一个 token：请用 --device-mb 增加。</translation>
    </message>
    <message>
        <location filename="engine/analysis/replay.py"/>
        <source>A cache with {absurd} that large cannot be replayed.</source>
        <translation>{absurd} 如此之大的缓存无法重放。</translation>
    </message>
    <message>
        <location filename="engine/analysis/replay.py"/>
        <source>{lost:,} entries are missing from the trace.</source>
        <translation>轨迹缺少 {lost:,} 条记录。</translation>
    </message>
    <message>
        <location filename="engine/analysis/replay.py"/>
        <source>{beside:,} requests began while others ran. Here they run one after the other, so what they reuse may differ.</source>
        <translation>有 {beside:,} 个请求在其他请求运行时开始。这里它们依次运行，因此复用的内容可能不同。</translation>
    </message>
    <message>
        <location filename="engine/analysis/report.py"/>
        <source>The disk tier starts empty here and keeps everything; a real one does neither.</source>
        <translation>此处磁盘层从空开始并保留一切；真实的并非如此。</translation>
    </message>
    <message>
        <location filename="engine/analysis/report.py"/>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <location filename="engine/analysis/report.py"/>
        <source>{found:,} files</source>
        <translation>{found:,} 个文件</translation>
    </message>
    <message>
        <location filename="engine/analysis/report.py"/>
        <source>The disk tier starts with {files} from before and keeps everything; a real one does not.</source>
        <translation>磁盘层从之前的 {files}开始并保留一切；真实的并非如此。</translation>
    </message>
    <message>
        <location filename="engine/api.py"/>
        <source>The engine cannot be called from its own thread.</source>
        <translation>不能从引擎自身的线程调用引擎。</translation>
    </message>
    <message>
        <location filename="engine/api.py"/>
        <source>The engine stopped while opening.</source>
        <translation>引擎在打开过程中停止了。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>The running answer reads this: wait until it is finished, or stop it.</source>
        <translation>运行中的回答正在读取它：请等待完成或停止回答。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>There is no state at the end of this node, and without one its tokens would have to be read again anyway: make a checkpoint here first.</source>
        <translation>此节点末尾没有状态，没有状态其 token 仍需重新读取：请先在此建立检查点。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>An audit found this state wrong, so it is never used: do not keep it.</source>
        <translation>审计发现此状态有误，因此不会使用：请勿保留。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>With this, pins would hold {held:,} tokens, but at most {room:,} of the {total:,} in memory may be pinned, so that chats have the rest: unpin something, or give the cache more memory.</source>
        <translation>这样固定的内容将达 {held:,} 个 token，但内存中 {total:,} 个里最多可固定 {room:,} 个，其余留给对话：请取消一些固定，或给缓存更多内存。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>At most {states:,} of the {total:,} states in memory may be pinned, so that chats have the rest: unpin something, or give the cache more memory.</source>
        <translation>内存中 {total:,} 个状态里最多可固定 {states:,} 个，其余留给对话：请取消一些固定，或给缓存更多内存。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>This node has no state in memory.</source>
        <translation>此节点在内存中没有状态。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>This state is pinned: unpin it first.</source>
        <translation>此状态已固定：请先取消固定。</translation>
    </message>
    <message>
        <location filename="engine/cache/by_hand.py"/>
        <source>This node or one below it is pinned: unpin it first.</source>
        <translation>此节点或其下的节点已固定：请先取消固定。</translation>
    </message>
    <message>
        <location filename="engine/cache/tiers/by_hand.py"/>
        <source>The state could not be copied to the device: there is no room for it beside what is pinned or in use, or its copy is damaged.</source>
        <translation>无法将状态复制到设备：除已固定或使用中的内容外没有空间，或其副本已损坏。</translation>
    </message>
    <message>
        <location filename="engine/cache/tiers/by_hand.py"/>
        <source>There is no host memory tier: give the cache host memory in the settings, or with --host-mb.</source>
        <translation>没有主机内存层：请在设置中或用 --host-mb 为缓存分配主机内存。</translation>
    </message>
    <message>
        <location filename="engine/cache/tiers/by_hand.py"/>
        <source>An audit found this state wrong, so it is copied nowhere.</source>
        <translation>审计发现此状态有误，因此不会复制到任何地方。</translation>
    </message>
    <message>
        <location filename="engine/cache/tiers/by_hand.py"/>
        <source>Host memory has no room for this state; nothing was moved.</source>
        <translation>主机内存放不下此状态；未移动任何内容。</translation>
    </message>
    <message>
        <location filename="engine/errors.py"/>
        <source>{what} failed ({kind}: {said}); see the log.</source>
        <translation>{what}失败（{kind}：{said}），请查看日志。</translation>
    </message>
    <message>
        <location filename="engine/errors.py"/>
        <source>{what} failed ({kind}); see the log.</source>
        <translation>{what}失败（{kind}），请查看日志。</translation>
    </message>
    <message>
        <location filename="engine/errors.py"/>
        <source>The prompt has {tokens:,} tokens, but the context holds only {context:,}: shorten the conversation or start a new one.</source>
        <translation>提示词有 {tokens:,} 个 token，而上下文只能容纳 {context:,} 个：请缩短对话或开始新对话。</translation>
    </message>
    <message>
        <location filename="engine/errors.py"/>
        <source>The prompt has at least {tokens:,} tokens, but the context holds only {context:,}: shorten the conversation or start a new one.</source>
        <translation>提示词至少有 {tokens:,} 个 token，而上下文只能容纳 {context:,} 个：请缩短对话或开始新对话。</translation>
    </message>
    <message>
        <location filename="engine/events.py"/>
        <source>The request was cancelled before it started.</source>
        <translation>请求在开始之前已取消。</translation>
    </message>
    <message>
        <location filename="engine/gguf/file.py"/>
        <source>{name} is missing: the model was split into {count} files, which must be in one folder.</source>
        <translation>缺少 {name}：该模型被拆分为 {count} 个文件，它们必须在同一个文件夹中。</translation>
    </message>
    <message>
        <location filename="engine/gguf/file.py"/>
        <source>"{name}" is in {file} and in {other}: these are parts of different models.</source>
        <translation>“{name}”既在 {file} 中又在 {other} 中：它们是不同模型的部分。</translation>
    </message>
    <message>
        <location filename="engine/gguf/file.py"/>
        <source>The parts of {name} hold {found} tensors instead of {claimed}: they are of different models, or damaged; download them again.</source>
        <translation>{name} 的各部分共有 {found} 个张量，而不是 {claimed} 个：它们属于不同的模型，或已损坏；请重新下载。</translation>
    </message>
    <message>
        <location filename="engine/gguf/file.py"/>
        <source>{name} says that it is part {part} of {count}, which its name does not: give the parts of a split model the names they were published with.</source>
        <translation>{name} 声明自己是第 {part} 部分（共 {count} 部分），与其文件名不符：请让拆分模型的各部分保持发布时的名称。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{name}" is not a GGUF file: it does not begin with the letters GGUF.</source>
        <translation>“{name}”不是 GGUF 文件：它不以字母 GGUF 开头。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>it ends after {size} bytes</source>
        <translation>它在 {size} 字节后就结束了</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>There is no file "{path}".</source>
        <translation>没有文件“{path}”。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{path}" cannot be read: {error}.</source>
        <translation>无法读取“{path}”：{error}。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>{name} is damaged: {what}; download it again.</source>
        <translation>{name} 已损坏：{what}；请重新下载。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>a metadata key</source>
        <translation>某个元数据键</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>metadata entries</source>
        <translation>条元数据</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>tensors</source>
        <translation>个张量</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>the key "{key}" is there twice</source>
        <translation>键“{key}”出现了两次</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{key}" holds a text that is not UTF-8</source>
        <translation>“{key}”含有不是 UTF-8 的文本</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{key}" has the unknown type {kind}</source>
        <translation>“{key}”的类型 {kind} 未知</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{key}" holds arrays in arrays without end</source>
        <translation>“{key}”中的数组无止境地嵌套</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>entries in "{key}"</source>
        <translation>个“{key}”中的条目</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>texts in "{key}"</source>
        <translation>个“{key}”中的文本</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>numbers in "{key}"</source>
        <translation>个“{key}”中的数</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>{what} is {length} bytes long</source>
        <translation>{what}长达 {length} 字节</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>a tensor's name</source>
        <translation>某个张量的名称</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{name}" has {dimensions} dimensions</source>
        <translation>“{name}”有 {dimensions} 个维度</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>the tensor "{name}" is there twice</source>
        <translation>张量“{name}”出现了两次</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>{file}: "{name}" has the type {kind}, which Biplane does not know.</source>
        <translation>{file}：“{name}”的类型为 {kind}，Biplane 不认识。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{name}" cannot have the shape {shape} in {type}</source>
        <translation>“{name}”以 {type} 存储时不可能有形状 {shape}</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{name}" is not aligned</source>
        <translation>“{name}”没有对齐</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>{file} is truncated: "{name}" should end at byte {end}, but the file has only {size}; download it again.</source>
        <translation>{file} 被截断：“{name}”应在第 {end} 字节处结束，但文件只有 {size} 字节；请重新下载。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{before}" and "{name}" overlap</source>
        <translation>“{before}”与“{name}”重叠</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>"{key}" is no power of two</source>
        <translation>“{key}”不是 2 的幂</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>it claims {count} {what}, more than it can hold</source>
        <translation>它声称有 {count} {what}，超出了它所能容纳的数量</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>{name} is a GGUF file for big-endian machines, which Biplane does not read.</source>
        <translation>{name} 是用于大端机器的 GGUF 文件，Biplane 不读取。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>{name} is a GGUF file of version {version}; Biplane reads 2 and 3.</source>
        <translation>{name} 是版本 {version} 的 GGUF 文件；Biplane 读取版本 2 和 3。</translation>
    </message>
    <message>
        <location filename="engine/gguf/header.py"/>
        <source>its header does not fit into its {size} bytes</source>
        <translation>它的文件头超出了它的 {size} 字节</translation>
    </message>
    <message>
        <location filename="engine/hub/download.py"/>
        <source>The download failed ({kind}): try again, or see the log.</source>
        <translation>下载失败（{kind}）：请重试，或查看日志。</translation>
    </message>
    <message>
        <location filename="engine/hub/download.py"/>
        <source>{repo} is already there: remove it first.</source>
        <translation>{repo} 已存在：请先移除。</translation>
    </message>
    <message>
        <location filename="engine/hub/download.py"/>
        <source>{repo} holds several models as GGUF files; choose one of {names}.</source>
        <translation>{repo} 含有多个 GGUF 模型文件；请从中选择一个：{names}。</translation>
    </message>
    <message>
        <location filename="engine/hub/download.py"/>
        <source>{repo} needs {needed} more on the disk of {root}, where {free} can be used: free some space, then try again.</source>
        <translation>{repo} 还需要 {root} 所在磁盘上的 {needed}，那里可用 {free}：请腾出空间，然后重试。</translation>
    </message>
    <message>
        <location filename="engine/hub/download.py"/>
        <source>Another Biplane is downloading {repo}: wait for it.</source>
        <translation>另一个 Biplane 正在下载 {repo}：请等它完成。</translation>
    </message>
    <message>
        <location filename="engine/hub/fetch.py"/>
        <source>The connection to {host} broke several times: check it and try again; what has come is kept.</source>
        <translation>到 {host} 的连接多次中断：请检查网络后重试；已下载的部分已保留。</translation>
    </message>
    <message>
        <location filename="engine/hub/fetch.py"/>
        <source>The disk of {folder} is full: free some space, then try again.</source>
        <translation>{folder} 所在磁盘已满：请腾出空间，然后重试。</translation>
    </message>
    <message>
        <location filename="engine/hub/fetch.py"/>
        <source>{folder} cannot be written ({error}).</source>
        <translation>无法写入 {folder}（{error}）。</translation>
    </message>
    <message>
        <location filename="engine/hub/library.py"/>
        <source>{folder} is not a model that Biplane has downloaded.</source>
        <translation>{folder} 不是 Biplane 下载的模型。</translation>
    </message>
    <message>
        <location filename="engine/hub/library.py"/>
        <source>{name} is missing: remove the model, and download it again.</source>
        <translation>缺少 {name}：请移除该模型，然后重新下载。</translation>
    </message>
    <message>
        <location filename="engine/hub/library.py"/>
        <source>{name} has been changed: remove the model, and download it again.</source>
        <translation>{name} 已被改动：请移除该模型，然后重新下载。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{repo} is refused: the hub names no commit for it.</source>
        <translation>已拒绝 {repo}：Hub 没有给出它的提交。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{name} of {repo} is larger than stated.</source>
        <translation>{repo} 的 {name} 比声明的大。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>HF_HUB_OFFLINE forbids downloads: start Biplane without it, and try again.</source>
        <translation>HF_HUB_OFFLINE 禁止下载：请不带它启动 Biplane，再重试。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{repo} has been disabled on {host}.</source>
        <translation>{repo} 已在 {host} 上停用。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{repo} on {host} has no such revision any more.</source>
        <translation>{host} 上的 {repo} 已没有这个版本。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>your token cannot see it</source>
        <translation>您的令牌看不到它</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>it is private and needs a token</source>
        <translation>它是私有的，需要令牌</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{host} has no repository {repo}, or {what}: check how it is spelt.</source>
        <translation>{host} 没有仓库 {repo}，或者{what}：请检查拼写。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{host} cannot be reached: check the connection, and try again.</source>
        <translation>无法连接 {host}：请检查网络，然后重试。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{host} does not accept this token: enter another one.</source>
        <translation>{host} 不接受此令牌：请输入另一个。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{host} does not have what is missing of {repo} any more.</source>
        <translation>{host} 已不再提供 {repo} 缺少的部分。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{host} asks to wait, as too much was asked of it: try later.</source>
        <translation>{host} 因请求过多而要求等待：请稍后再试。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{host} has trouble of its own (status {status}): try later.</source>
        <translation>{host} 自身出现故障（状态 {status}）：请稍后再试。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>The account of your token may not read {repo} yet: accept its licence on {host}/{repo}, then try again.</source>
        <translation>您令牌的账户尚无权读取 {repo}：请在 {host}/{repo} 接受其许可证，然后重试。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{repo} is gated: accept its licence on {host}/{repo}, then enter a token of your account.</source>
        <translation>{repo} 需要授权：请在 {host}/{repo} 接受其许可证，然后输入您账户的令牌。</translation>
    </message>
    <message>
        <location filename="engine/hub/listing.py"/>
        <source>{repo} is refused: the hub states no checksum of {rfilename}, so that it could not be verified.</source>
        <translation>已拒绝 {repo}：Hub 没有给出 {rfilename} 的校验和，因此无法校验。</translation>
    </message>
    <message>
        <location filename="engine/hub/manifest.py"/>
        <source>{repo} has no {choice}.gguf; it has {names}.</source>
        <translation>{repo} 中没有 {choice}.gguf；其中有 {names}。</translation>
    </message>
    <message>
        <location filename="engine/hub/names.py"/>
        <source>"{text}" is not the name of a repository; it has the form owner/name, as in Qwen/Qwen3.5-0.8B.</source>
        <translation>“{text}”不是仓库名；格式为 所有者/名称，例如 Qwen/Qwen3.5-0.8B。</translation>
    </message>
    <message>
        <location filename="engine/hub/names.py"/>
        <source>{repo} is refused: its file name "{name}" leads out of the folder of the model.</source>
        <translation>已拒绝 {repo}：其文件名“{name}”指向模型文件夹之外。</translation>
    </message>
    <message>
        <location filename="engine/hub/names.py"/>
        <source>{repo} is refused: its files "{other}" and "{name}" would be one and the same on some disks.</source>
        <translation>已拒绝 {repo}：其文件“{other}”和“{name}”在某些磁盘上会是同一个文件。</translation>
    </message>
    <message>
        <location filename="engine/hub/names.py"/>
        <source>{repo} is refused: it has more than {most_files:,} files.</source>
        <translation>已拒绝 {repo}：其文件超过 {most_files:,} 个。</translation>
    </message>
    <message>
        <location filename="engine/hub/names.py"/>
        <source>{repo} holds no model that Biplane can open: that needs a .gguf file, or config.json and weights as safetensors (pickle files are not read).</source>
        <translation>{repo} 中没有 Biplane 能打开的模型：需要 .gguf 文件，或 config.json 和 safetensors 权重（不读取 pickle 文件）。</translation>
    </message>
    <message>
        <location filename="engine/hub/part.py"/>
        <source>{name} is longer than its repository states: try again to fetch it from the start.</source>
        <translation>{name} 比仓库声明的长：请重试，以从头获取。</translation>
    </message>
    <message>
        <location filename="engine/hub/part.py"/>
        <source>{name} arrived damaged: its {kind} is {found}…, not {stated}…. Try again to fetch it from the start.</source>
        <translation>{name} 下载后已损坏：其 {kind} 为 {found}…，而非 {stated}…。请重试，以从头获取。</translation>
    </message>
    <message>
        <location filename="engine/hub/search.py"/>
        <source>{host} does not answer searches (status {status}): enter a model as owner/name.</source>
        <translation>{host} 不支持搜索（状态 {status}）：请以 owner/name 的形式输入模型。</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>it has text that is not Unicode</source>
        <translation>其中有不是 Unicode 的文本</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>"tokens" has another length than the span</source>
        <translation>“tokens”的长度与该段不同</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>reused, replayed and computed do not sum to the prompt</source>
        <translation>复用、重放与计算之和不等于提示词</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>more tokens were applied than there are</source>
        <translation>应用的 token 多于现有的</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>the drafts are not those of the answer</source>
        <translation>草稿与回答不符</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>a disk offer is outside the prompt</source>
        <translation>磁盘提供的内容在提示词之外</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>the prompt is empty</source>
        <translation>提示词为空</translation>
    </message>
    <message>
        <location filename="engine/journal/parsing.py"/>
        <source>the token count does not match the list of tokens</source>
        <translation>token 数与 token 列表不符</translation>
    </message>
    <message>
        <location filename="engine/journal/reader.py"/>
        <source>{name} is empty; it holds no trace.</source>
        <translation>{name} 为空；其中没有轨迹。</translation>
    </message>
    <message>
        <location filename="engine/journal/reader.py"/>
        <source>it is not the header of a trace</source>
        <translation>它不是轨迹的头部</translation>
    </message>
    <message>
        <location filename="engine/journal/reader.py"/>
        <source>{name}, line {line:,}: {reason}.</source>
        <translation>{name} 第 {line:,} 行：{reason}。</translation>
    </message>
    <message>
        <location filename="engine/journal/reader.py"/>
        <source>the line is too long</source>
        <translation>该行太长</translation>
    </message>
    <message>
        <location filename="engine/journal/reader.py"/>
        <source>{name} cannot be unpacked: {error}.</source>
        <translation>无法解压 {name}：{error}。</translation>
    </message>
    <message>
        <location filename="engine/journal/reader.py"/>
        <source>it is not a JSON object</source>
        <translation>它不是 JSON 对象</translation>
    </message>
    <message>
        <location filename="engine/journal/saving.py"/>
        <source>This trace states no settings, so it cannot be saved in our format.</source>
        <translation>此轨迹没有说明设置，无法以我们的格式保存。</translation>
    </message>
    <message>
        <location filename="engine/journal/saving.py"/>
        <source>The first entries of this tape were forgotten, so it cannot be saved; Cache &gt; Record trace keeps all from the start.</source>
        <translation>此记录最早的条目已被遗忘，无法保存；“缓存 &gt; 记录轨迹”会从头保留全部。</translation>
    </message>
    <message>
        <location filename="engine/journal/saving.py"/>
        <source>The trace {name} cannot be written: {reason}.</source>
        <translation>无法写入轨迹 {name}：{reason}。</translation>
    </message>
    <message>
        <location filename="engine/journal/tier_state.py"/>
        <source>The trace holds a cache without a root.</source>
        <translation>轨迹中的缓存没有根节点。</translation>
    </message>
    <message>
        <location filename="engine/journal/writer.py"/>
        <source>The trace {name} was cut short by an error ({kind}); see the log.</source>
        <translation>轨迹 {name} 因错误中断（{kind}），请查看日志。</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>The engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>Starting the engine</source>
        <translation>启动引擎</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>The engine cannot start: {error}.</source>
        <translation>引擎无法启动：{error}。</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>Opening {model_dir}</source>
        <translation>打开 {model_dir}</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>Opening the model was cancelled.</source>
        <translation>已取消打开模型。</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>Background work</source>
        <translation>后台工作</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>The request</source>
        <translation>请求</translation>
    </message>
    <message>
        <location filename="engine/loop.py"/>
        <source>Noting a sentence</source>
        <translation>记录语句</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "{name}" is {value}; it must be true or false.</source>
        <translation>config.json：“{name}”为 {value}；必须为 true 或 false。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json has no "{name}"; it must state every size of the model.</source>
        <translation>config.json 没有“{name}”；它必须写明模型的每个大小。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "{name}" is {value}; it must be a positive integer.</source>
        <translation>config.json：“{name}”是 {value}；它必须是正整数。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "{name}" is {value}; it must be a positive number.</source>
        <translation>config.json：“{name}”是 {value}；它必须是正数。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "{name}" is {value}; only {expected} is supported.</source>
        <translation>config.json：“{name}”是 {value}；只支持 {expected}。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "mlp_only_layers" is {kept}; it must list layers.</source>
        <translation>config.json：“mlp_only_layers”是 {kept}；它必须列出层。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "num_experts_per_tok" is {per_token}, but there are only {count} ("num_experts").</source>
        <translation>config.json：“num_experts_per_tok”是 {per_token}，但只有 {count} 个（“num_experts”）。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>"{folder}" is a download that is not finished: fetch the rest in View &gt; Models, then open the model.</source>
        <translation>“{folder}”是尚未完成的下载：请在“视图 &gt; 模型”中获取其余部分，然后再打开模型。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json is larger than 4 MiB; it is not a model configuration.</source>
        <translation>config.json 大于 4 MiB；它不是模型配置。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json cannot be read: {error}.</source>
        <translation>无法读取 config.json：{error}。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json is not a JSON object.</source>
        <translation>config.json 不是 JSON 对象。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>There is no folder "{folder}": choose one with config.json, tokenizer.json and weights as safetensors.</source>
        <translation>没有文件夹“{folder}”：请选择含有 config.json、tokenizer.json 和 safetensors 权重的文件夹。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>"{folder}" is not a folder: choose one with config.json, tokenizer.json and weights as safetensors.</source>
        <translation>“{folder}”不是文件夹：请选择含有 config.json、tokenizer.json 和 safetensors 权重的文件夹。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>"{folder}" holds GGUF files: open one of them instead of the folder.</source>
        <translation>“{folder}”中有 GGUF 文件：请打开其中一个文件，而不是文件夹。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>"{folder}" has no config.json; it is not a model folder.</source>
        <translation>“{folder}”中没有 config.json；它不是模型文件夹。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "text_config" is not an object.</source>
        <translation>config.json：“text_config”不是对象。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>without a name</source>
        <translation>无名称</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>The architecture {named} (model_type in config.json) is not supported; Biplane runs {others} and {last}.</source>
        <translation>不支持架构 {named}（config.json 中的 model_type）；Biplane 支持 {others} 和 {last}。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: the weights are quantised in a format that Biplane does not read ({method}); take the original model, which Biplane quantises itself.</source>
        <translation>config.json：权重已用 Biplane 无法读取的格式量化（{method}）；请使用原始模型，Biplane 会自行量化。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "num_hidden_layers" is {layers}; at most {max_layers}.</source>
        <translation>config.json：“num_hidden_layers”为 {layers}；最多 {max_layers}。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json has neither "layer_types" nor "full_attention_interval".</source>
        <translation>config.json 中既没有“layer_types”也没有“full_attention_interval”。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "layer_types" must list {layers} layers.</source>
        <translation>config.json：“layer_types”必须列出 {layers} 层。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "layer_types" has "{kind}", which is not supported.</source>
        <translation>config.json：“layer_types”含不支持的“{kind}”。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "rope_parameters" is not an object.</source>
        <translation>config.json：“rope_parameters”不是对象。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: the rope type "{kind}" is not supported, only "default".</source>
        <translation>config.json：不支持 rope 类型“{kind}”，仅支持“default”。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "partial_rotary_factor" {share:g} of "head_dim" {head_dim} gives {rotary_dim} rotated dimensions; they must be even and at most head_dim.</source>
        <translation>config.json：“partial_rotary_factor” {share:g} 与“head_dim” {head_dim} 得出 {rotary_dim} 个旋转维度；必须为偶数且不超过 head_dim。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json has no "{name}"; it must state whether the output head is tied.</source>
        <translation>config.json 中没有“{name}”；它必须说明输出头是否绑定。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "eos_token_id" is {value}; it must be a token id.</source>
        <translation>config.json：“eos_token_id”为 {value}；必须为 token id。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "num_attention_heads" {heads} is not a multiple of "num_key_value_heads" {kv_heads}.</source>
        <translation>config.json：“num_attention_heads” {heads} 不是“num_key_value_heads” {kv_heads} 的倍数。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "linear_num_value_heads" {linear_value_heads} is not a multiple of "linear_num_key_heads" {linear_key_heads}.</source>
        <translation>config.json：“linear_num_value_heads” {linear_value_heads} 不是“linear_num_key_heads” {linear_key_heads} 的倍数。</translation>
    </message>
    <message>
        <location filename="engine/model/config.py"/>
        <source>config.json: "linear_conv_kernel_dim" must be at least 2.</source>
        <translation>config.json：“linear_conv_kernel_dim”至少为 2。</translation>
    </message>
    <message>
        <location filename="engine/model/file_bytes.py"/>
        <source>it is truncated</source>
        <translation>它被截断了</translation>
    </message>
    <message>
        <location filename="engine/model/file_bytes.py"/>
        <source>{name}: "{tensor}" cannot be read: {error}.</source>
        <translation>{name}：无法读取“{tensor}”：{error}。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a number of layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a multiple of ssm.time_step_rank</source>
        <translation>ssm.time_step_rank 的倍数</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a multiple of ssm.group_count</source>
        <translation>ssm.group_count 的倍数</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>equal to attention.key_length</source>
        <translation>等于 attention.key_length</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a multiple of attention.head_count_kv</source>
        <translation>attention.head_count_kv 的倍数</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>even and at most attention.key_length</source>
        <translation>偶数，且不大于 attention.key_length</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>"none"</source>
        <translation>“none”</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>{name} is the part of a model that sees images (mmproj): open the model's other .gguf file; Biplane reads text only.</source>
        <translation>{name} 是模型中识别图像的部分（mmproj）：请打开该模型的另一个 .gguf 文件；Biplane 只读文本。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>{name} is no model of its own ("{kind}"): open the .gguf file of the model.</source>
        <translation>{name} 本身不是模型（“{kind}”）：请打开模型的 .gguf 文件。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>The architecture {named} of {name} is not supported; of GGUF files, Biplane runs {others} and {last}.</source>
        <translation>不支持 {name} 的架构 {named}；对于 GGUF 文件，Biplane 可运行 {others} 和 {last}。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>{name} has no "{tensor}": it holds only a part of a model.</source>
        <translation>{name} 中没有“{tensor}”：它只含模型的一部分。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>the same for every layer</source>
        <translation>每层都相同</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a positive integer</source>
        <translation>正整数</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a positive number</source>
        <translation>正数</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a list of {n} layers</source>
        <translation>{n} 层的列表</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>{file}: "{key}" is {value}; it must be {wanted}.</source>
        <translation>{file}：“{key}”为 {value}；它必须是{wanted}。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>{file} has no "{key}"; it must state every size of the model.</source>
        <translation>{file} 中没有“{key}”；它必须给出模型的每个尺寸。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_config.py"/>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_store.py"/>
        <source>{file} has no tensor for "{name}"; expected one of shape {wanted}.</source>
        <translation>{file} 中没有“{name}”对应的张量；应有一个形状为 {wanted} 的张量。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_store.py"/>
        <source>{file}: "{tensor}" has shape {shape}, which does not suit the sizes in the metadata: {wanted} for {name}.</source>
        <translation>{file}：“{tensor}”的形状为 {shape}，与元数据中的尺寸不符：{name} 应为 {wanted}。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_store.py"/>
        <source>{file}: "{tensor}" is stored as {kind}, which Biplane does not read: take a file in another format, such as Q4_K_M.</source>
        <translation>{file}：“{tensor}”以 {kind} 存储，Biplane 不读取：请换用其他格式的文件，例如 Q4_K_M。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_store.py"/>
        <source>{file}: "{tensor}" is not part of the model that the metadata describes.</source>
        <translation>{file}：“{tensor}”不属于元数据所描述的模型。</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_store.py"/>
        <source>multi-token prediction</source>
        <translation>多 token 预测</translation>
    </message>
    <message>
        <location filename="engine/model/gguf_store.py"/>
        <source>the vision model</source>
        <translation>视觉模型</translation>
    </message>
    <message>
        <location filename="engine/model/inspect.py"/>
        <source>outside the text model</source>
        <translation>文本模型之外</translation>
    </message>
    <message>
        <location filename="engine/model/inspect.py"/>
        <source>"{name}" has shape {shape}; config.json asks for {wanted}.</source>
        <translation>“{name}”的形状为 {shape}；config.json 要求 {wanted}。</translation>
    </message>
    <message>
        <location filename="engine/model/inspect.py"/>
        <source>"{name}" is stored as {fp} without its "{name}{scale}".</source>
        <translation>“{name}”以 {fp} 存储，但缺少“{name}{scale}”。</translation>
    </message>
    <message>
        <location filename="engine/model/inspect.py"/>
        <source>"{name}" is stored as {dtype}; expected {known} or {fp}.</source>
        <translation>“{name}”以 {dtype} 存储；应为 {known} 或 {fp}。</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>reading the header</source>
        <translation>正在读取文件头</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>reading config.json</source>
        <translation>正在读取 config.json</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>Saved {size:,.0f} MiB of {weights} weights in {folder}.</source>
        <translation>已将 {size:,.0f} MiB 的 {weights} 权重保存到 {folder}。</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>"{name}" in the model's files has a number that is infinite or not a number: the weights are damaged, download the model again.</source>
        <translation>模型文件中的“{name}”含有无穷大或非数值：权重已损坏，请重新下载模型。</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>loading weights</source>
        <translation>正在加载权重</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>loading and packing weights</source>
        <translation>正在加载并打包权重</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>The weights stay as the file has them ({blocks}): rounding them once more, to {weights}, would lose more than it saves.</source>
        <translation>权重保持文件中的格式（{blocks}）：再舍入为 {weights} 得不偿失。</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>In memory the weights take {size:,.0f} MiB more than in the file: {blocks} are computed with in wider numbers, which lose nothing.</source>
        <translation>权重在内存中比在文件中多占 {size:,.0f} MiB：{blocks} 以更宽的数计算，不损失任何精度。</translation>
    </message>
    <message>
        <location filename="engine/model/loader.py"/>
        <source>The dtype "{asked}" is not one of auto, {named_dtypes}.</source>
        <translation>dtype“{asked}”不在 auto、{named_dtypes} 之列。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{name}: "{tensor}" has the unsupported dtype {dtype}.</source>
        <translation>{name}：“{tensor}”的 dtype {dtype} 不受支持。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{name} is damaged: its header cannot be read ({error}).</source>
        <translation>{name} 已损坏：无法读取其头部（{error}）。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{name} is truncated: {size} bytes, but its header claims {last}; download it again.</source>
        <translation>{name} 被截断：{size} 字节，而头部声明 {last}；请重新下载。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{name} is missing; download the model again.</source>
        <translation>缺少 {name}；请重新下载模型。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{name} is truncated or damaged: its header does not fit into its {size} bytes.</source>
        <translation>{name} 被截断或损坏：其头部超出文件的 {size} 字节。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{name} cannot be read: {error}.</source>
        <translation>无法读取 {name}：{error}。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>offsets of {tensor}</source>
        <translation>{tensor} 的偏移</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{file}: "{tensor}" takes {nbytes} bytes; its shape {shape} in {dtype} takes {expected}.</source>
        <translation>{file}：“{tensor}”占 {nbytes} 字节；按形状 {shape} 和 {dtype} 应为 {expected}。</translation>
    </message>
    <message>
        <location filename="engine/model/safetensors_file.py"/>
        <source>{file} is damaged: "{before}" and "{name}" overlap; download it again.</source>
        <translation>{file} 已损坏：“{before}”与“{name}”重叠；请重新下载。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{index} says that {name} holds "{tensor}", but it does not.</source>
        <translation>{index} 称 {name} 含有“{tensor}”，但实际没有。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>"{folder}" has neither {single} nor {index}; only safetensors files are read.</source>
        <translation>“{folder}”中既没有 {single} 也没有 {index}；仅读取 safetensors 文件。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>it is too large</source>
        <translation>它太大</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{index} cannot be read: {error}.</source>
        <translation>无法读取 {index}：{error}。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{index} names "{name}", which is not a file in this folder.</source>
        <translation>{index} 中的“{name}”不是此文件夹中的文件。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>The safetensors files have no "{name}"; expected one of shape {wanted}.</source>
        <translation>safetensors 文件中没有“{name}”；应有形状为 {wanted} 的张量。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{file}: "{name}" has shape {shape}; config.json asks for {wanted}.</source>
        <translation>{file}：“{name}”的形状为 {shape}；config.json 要求 {wanted}。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{file}: "{name}" is stored as {dtype}; expected {dtypes} or {fp}.</source>
        <translation>{file}：“{name}”以 {dtype} 存储；应为 {dtypes} 或 {fp}。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{name}: "{tensor}" is not part of the model that config.json describes; expected only its own tensors.</source>
        <translation>{name}：“{tensor}”不属于 config.json 所描述的模型；只应有其自身的张量。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>The safetensors files have no "{prefix}{embedding}"; they do not hold the text model that config.json describes.</source>
        <translation>safetensors 文件中没有“{prefix}{embedding}”；其中不含 config.json 所描述的文本模型。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{file}: "{name}" is stored as {fp} without its "{scale}".</source>
        <translation>{file}：“{name}”以 {fp} 存储，但缺少“{scale}”。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{file}: "{name}" is stored as {fp}, which only matrices may be.</source>
        <translation>{file}：“{name}”以 {fp} 存储，而只有矩阵可以如此。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>{file}: "{scale}" is {dtype} {shape}; expected one scale per block of {block} by {block}, {blocks}.</source>
        <translation>{file}：“{scale}”为 {dtype} {shape}；应为每个 {block} × {block} 块一个缩放值，{blocks}。</translation>
    </message>
    <message>
        <location filename="engine/model/tensor_store.py"/>
        <source>Skipped {count:,} tensors of {kind} ({size:,.1f} MiB).</source>
        <translation>已跳过{kind}的 {count:,} 个张量（{size:,.1f} MiB）。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>Enter the address of a server, as in http://127.0.0.1:8080.</source>
        <translation>请输入服务器地址，例如 http://127.0.0.1:8080。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>An address has no spaces or line breaks: enter it again.</source>
        <translation>地址中不能有空格或换行：请重新输入。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>{typed} is not an address: {error}.</source>
        <translation>{typed} 不是地址：{error}。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>{typed} begins with neither http:// nor https://: change that.</source>
        <translation>{typed} 不以 http:// 或 https:// 开头：请更改。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>The address holds a name or a password: take it out, and enter the token below.</source>
        <translation>地址中含有用户名或密码：请删去，并在下方输入令牌。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>{typed} names no computer: enter one, as in http://127.0.0.1:8080.</source>
        <translation>{typed} 没有指明计算机：请填写，例如 http://127.0.0.1:8080。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>{typed} goes on after its path: leave out what follows ? or #.</source>
        <translation>{typed} 在路径之后还有内容：请删去 ? 或 # 之后的部分。</translation>
    </message>
    <message>
        <location filename="engine/net/client/address.py"/>
        <source>No server listens on port 0: enter another port.</source>
        <translation>没有服务器监听端口 0：请输入其他端口。</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>{origin} sends an event that cannot be read: ask again.</source>
        <translation>{origin} 发来无法读取的事件：请重新提问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>its answer is not a stream of JSON</source>
        <translation>其回答不是 JSON 流</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>it does not say why</source>
        <translation>它没有说明原因</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>{origin} reports an error: {why}.</source>
        <translation>{origin} 报告错误：{why}。</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>its events are not those of a chat</source>
        <translation>其事件不是聊天的事件</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>it answers with {kind}</source>
        <translation>它以 {kind} 应答</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>The server sends empty events without an end.</source>
        <translation>服务器不断发送空事件。</translation>
    </message>
    <message>
        <location filename="engine/net/client/answer.py"/>
        <source>{origin} sends an answer without an end.</source>
        <translation>{origin} 发来没有结尾的回答。</translation>
    </message>
    <message>
        <location filename="engine/net/client/catalog.py"/>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <location filename="engine/net/client/catalog.py"/>
        <source>its list of models is not JSON</source>
        <translation>其模型列表不是 JSON</translation>
    </message>
    <message>
        <location filename="engine/net/client/catalog.py"/>
        <source>it has no list of models</source>
        <translation>它没有模型列表</translation>
    </message>
    <message>
        <location filename="engine/net/client/catalog.py"/>
        <source>its list of models is empty</source>
        <translation>其模型列表为空</translation>
    </message>
    <message>
        <location filename="engine/net/client/exchange.py"/>
        <source>it does not speak HTTP</source>
        <translation>它不使用 HTTP</translation>
    </message>
    <message>
        <location filename="engine/net/client/exchange.py"/>
        <source>its answer has no end</source>
        <translation>其回答没有结尾</translation>
    </message>
    <message>
        <location filename="engine/net/client/exchange.py"/>
        <source>{host} is not the name of a computer: {error}.</source>
        <translation>{host} 不是计算机名：{error}。</translation>
    </message>
    <message>
        <location filename="engine/net/client/loop.py"/>
        <source>That is done where the engine runs, not from here.</source>
        <translation>这要在引擎运行的地方进行，不能在此操作。</translation>
    </message>
    <message>
        <location filename="engine/net/client/loop.py"/>
        <source>The connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <location filename="engine/net/client/loop.py"/>
        <source>Connecting to {place}</source>
        <translation>正在连接 {place}</translation>
    </message>
    <message>
        <location filename="engine/net/client/loop.py"/>
        <source>{place} does not serve {model}: choose another of its models in File &gt; Connect….</source>
        <translation>{place} 不提供 {model}：请在“文件 &gt; 连接…”中选择它的其他模型。</translation>
    </message>
    <message>
        <location filename="engine/net/client/loop.py"/>
        <source>The cache of an engine elsewhere cannot be cleared from here.</source>
        <translation>别处引擎的缓存无法从这里清空。</translation>
    </message>
    <message>
        <location filename="engine/net/client/sse.py"/>
        <source>The server sends a line without an end.</source>
        <translation>服务器发来没有结尾的行。</translation>
    </message>
    <message>
        <location filename="engine/net/client/sse.py"/>
        <source>The server sends text that is not UTF-8.</source>
        <translation>服务器发来的文本不是 UTF-8。</translation>
    </message>
    <message>
        <location filename="engine/net/client/sse.py"/>
        <source>The server sends a line that is longer than any answer's.</source>
        <translation>服务器发来的行比任何回答都长。</translation>
    </message>
    <message>
        <location filename="engine/net/client/sse.py"/>
        <source>The server sends comments without an end.</source>
        <translation>服务器不断发送注释。</translation>
    </message>
    <message>
        <location filename="engine/net/client/sse.py"/>
        <source>The server sends an event that is longer than any answer's.</source>
        <translation>服务器发来的事件比任何回答都长。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>The name {host} cannot be found: check its spelling and the network.</source>
        <translation>找不到名称 {host}：请检查拼写和网络。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>Nothing answers at {place}: start the server, or check the address and the port.</source>
        <translation>{place} 没有应答：请启动服务器，或检查地址和端口。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} did not accept a connection within {waited_s:g} s: check that the computer is on and can be reached.</source>
        <translation>{place} 在 {waited_s:g} 秒内没有接受连接：请检查那台计算机是否开机并可访问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} cannot be reached from here: check the network.</source>
        <translation>从这里无法访问 {place}：请检查网络。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>No connection to {place}: {said}.</source>
        <translation>无法连接到 {place}：{said}。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>The certificate of {origin} is not trusted ({verify_message}): check the address, or have this computer trust the certificate's authority.</source>
        <translation>{origin} 的证书不受信任（{verify_message}）：请检查地址，或让这台计算机信任该证书的颁发机构。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{origin} does not speak TLS as it should ({reason}): if the server has no TLS, its address begins with http://.</source>
        <translation>{origin} 的 TLS 不正常（{reason}）：如果服务器没有 TLS，其地址应以 http:// 开头。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>no reason</source>
        <translation>无原因</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{origin} sent nothing for {waited_s:g} s, so the connection was closed: check whether the server still works, then ask again.</source>
        <translation>{origin} 在 {waited_s:g} 秒内没有发来任何内容，连接已关闭：请检查服务器是否仍在工作，然后重新提问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>The connection to {place} ended in the middle of the answer; what had come by then is kept. Ask again to have it whole.</source>
        <translation>到 {place} 的连接在回答中途断开；已收到的部分已保留。重新提问可得到完整回答。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>The connection to {place} ended before the answer began: ask again.</source>
        <translation>到 {place} 的连接在回答开始前断开：请重新提问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>The answer of {place} cannot be read ({why}); what had come by then is kept. Ask again to have it whole.</source>
        <translation>无法读取 {place} 的回答（{why}）；已收到的部分已保留。重新提问可得到完整回答。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>The answer of {place} cannot be read ({why}): ask again.</source>
        <translation>无法读取 {place} 的回答（{why}）：请重新提问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} refuses the token{because}: enter the right one in File &gt; Connect….</source>
        <translation>{place} 拒绝该令牌{because}：请在“文件 &gt; 连接…”中输入正确的令牌。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} asks for a token: enter it in File &gt; Connect….</source>
        <translation>{place} 需要令牌：请在“文件 &gt; 连接…”中输入。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} answers with a redirect, and does not say where to.</source>
        <translation>{place} 以重定向作答，但没有说明转到哪里。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} answers with a redirect to {where}, which was not followed: ask whoever runs the server for its address.</source>
        <translation>{place} 以重定向作答，指向 {where}，程序没有跟随：请向服务器的管理者询问其地址。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{address} is not there (404): check the path, which ends in /v1 on most servers.</source>
        <translation>{address} 不存在（404）：请检查路径，多数服务器的路径以 /v1 结尾。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} has too much to do{because}: ask again in a while.</source>
        <translation>{place} 过于繁忙{because}：请稍后重新提问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} is not ready yet{because}: ask again in a moment.</source>
        <translation>{place} 尚未就绪{because}：请稍候重新提问。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} failed with error {status}{because}: see the server's log.</source>
        <translation>{place} 出错，错误 {status}{because}：请查看服务器日志。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{place} refused the request with error {status}{because}.</source>
        <translation>{place} 拒绝了请求，错误 {status}{because}。</translation>
    </message>
    <message>
        <location filename="engine/net/client/trouble.py"/>
        <source>{address} answers, but not as an OpenAI-compatible server ({why}): check the address.</source>
        <translation>{address} 有应答，但不是 OpenAI 兼容的服务器（{why}）：请检查地址。</translation>
    </message>
    <message>
        <location filename="engine/net/client/usage.py"/>
        <source>It says so when it is started with --enable-prompt-tokens-details.</source>
        <translation>用 --enable-prompt-tokens-details 启动时它会报告。</translation>
    </message>
    <message>
        <location filename="engine/net/client/usage.py"/>
        <source>It says so when it is started with --enable-cache-report.</source>
        <translation>用 --enable-cache-report 启动时它会报告。</translation>
    </message>
    <message>
        <location filename="engine/net/client/usage.py"/>
        <source>{program} reports neither the length of the prompt nor what it reused.</source>
        <translation>{program} 既不报告提示词的长度，也不报告复用了多少。</translation>
    </message>
    <message>
        <location filename="engine/net/client/usage.py"/>
        <source>{program} does not report what it reused.</source>
        <translation>{program} 不报告复用了多少。</translation>
    </message>
    <message>
        <location filename="engine/net/client/usage.py"/>
        <source>As {program} reports; it does not say why.</source>
        <translation>据 {program} 报告；它没有说明原因。</translation>
    </message>
    <message>
        <location filename="engine/net/client/wire.py"/>
        <source>A server takes messages, not token ids.</source>
        <translation>服务器接受消息，不接受 token id。</translation>
    </message>
    <message>
        <location filename="engine/net/client/wire.py"/>
        <source>An answer cannot be continued on {program}: regenerate it instead.</source>
        <translation>在 {program} 上无法续写回答：请改为重新生成。</translation>
    </message>
    <message>
        <location filename="engine/net/counters/poller.py"/>
        <source>There are no counters at {address}: enter their address in File &gt; Connect…, if there are.</source>
        <translation>{address} 没有计数器：如果有，请在“文件 &gt; 连接…”中填写其地址。</translation>
    </message>
    <message>
        <location filename="engine/net/counters/poller.py"/>
        <source>{address} has counters, but none that Biplane knows.</source>
        <translation>{address} 有计数器，但没有 Biplane 认识的。</translation>
    </message>
    <message>
        <location filename="engine/net/counters/reading.py"/>
        <source>The address of the counters answers with something else than counters.</source>
        <translation>计数器的地址应答的不是计数器。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/address.py"/>
        <source>Biplane listens on this computer alone: {events} must be tcp://127.0.0.1 with a port, and an engine elsewhere needs a tunnel to it.</source>
        <translation>Biplane 只在本机监听：{events} 必须是带端口的 tcp://127.0.0.1，别处的引擎需要通到它的隧道。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/address.py"/>
        <source>{address} is not an address of events: it must be like tcp://127.0.0.1:5557.</source>
        <translation>{address} 不是事件地址：应类似 tcp://127.0.0.1:5557。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/match.py"/>
        <source>KV for {known} tokens known; the engine does not say how many it reused.</source>
        <translation>已知 {known} 个 token 的 KV；引擎未说明复用了多少。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/match.py"/>
        <source>As expected: {reported} tokens reused of {known} known.</source>
        <translation>符合预期：已知 {known} 个，复用 {reported} 个 token。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/match.py"/>
        <source>KV for {known} tokens was known before events were lost, engine reused {reported}: it may have dropped them meanwhile.</source>
        <translation>事件丢失前已知 {known} 个 token 的 KV，引擎复用了 {reported} 个：期间可能已丢弃。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/match.py"/>
        <source>KV for {known} tokens known, engine reused 0: no state, or a dropped block.</source>
        <translation>已知 {known} 个 token 的 KV，引擎复用 0 个：没有状态，或有块被丢弃。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/match.py"/>
        <source>KV for {known} tokens known and {reusable} expected, engine reused {reported}: no state further on, or a dropped block.</source>
        <translation>已知 {known} 个 token 的 KV，预期 {reusable} 个，引擎复用了 {reported} 个：之后没有状态，或有块被丢弃。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/match.py"/>
        <source>Engine reused {reported} tokens, and its events told of {known}: the others were stored before anybody listened, or are on a tier that it does not tell of.</source>
        <translation>引擎复用了 {reported} 个 token，而事件只告知 {known} 个：其余在监听之前已存储，或在未告知的层级上。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/subscriber.py"/>
        <source>{events} cannot be listened to: {strerror}.</source>
        <translation>无法监听 {events}：{strerror}。</translation>
    </message>
    <message>
        <location filename="engine/net/kv_events/subscriber.py"/>
        <source>Listening to the engine</source>
        <translation>监听引擎</translation>
    </message>
    <message>
        <location filename="engine/net/server/server.py"/>
        <source>The server could not be started; see the log.</source>
        <translation>无法启动服务器，请查看日志。</translation>
    </message>
    <message>
        <location filename="engine/net/server/server.py"/>
        <source>The server cannot listen at {hosts}, port {port}: {said}. Choose another port, or end the program that has it.</source>
        <translation>服务器无法在 {hosts} 端口 {port} 监听：{said}。请选择其他端口，或结束占用它的程序。</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>It was left out.</source>
        <translation>它已被略去。</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>What follows it is read again each time.</source>
        <translation>其后的内容每次都要重读。</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>The system text holds {what}: "{shown}". {done}</source>
        <translation>系统文本含有{what}：“{shown}”。{done}</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>an id that is new each time, perhaps</source>
        <translation>一个可能每次都不同的标识</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>a billing header with a new code</source>
        <translation>每次代码都不同的计费标头</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>the number of tokens that are left</source>
        <translation>剩余 token 数</translation>
    </message>
    <message>
        <location filename="engine/net/server/volatile.py"/>
        <source>a clock with seconds</source>
        <translation>带秒的时钟</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the template does not reproduce the answer as it was</source>
        <translation>模板未能照原样再现回答</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the oldest turns of the conversation were left out</source>
        <translation>对话最早的几轮被省去</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>a text that was there before was left out</source>
        <translation>此前有的一段文本被省去</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>a different chat with the same beginning of its system text</source>
        <translation>系统文本开头相同的另一对话</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>an earlier message changed</source>
        <translation>之前的消息已改变</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the system prompt changed</source>
        <translation>系统提示词已改变</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the list of tools changed</source>
        <translation>工具列表已改变</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>a different chat with the same beginning</source>
        <translation>是开头相同的另一对话</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the template rendered the same text differently</source>
        <translation>模板对相同文本的渲染不同</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>no state was stored</source>
        <translation>没有存储状态</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the state had been evicted</source>
        <translation>状态已被驱逐</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the state is not bit-exact for this prompt</source>
        <translation>状态对此提示词并非逐位精确</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the state was computed from a compressed one</source>
        <translation>状态由压缩过的状态计算而来</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>an audit had found the state to be wrong</source>
        <translation>审计发现状态有误</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the file with the state was damaged</source>
        <translation>含状态的文件已损坏</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the file with the state had been deleted</source>
        <translation>存有状态的文件已被删除</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the cache files are of other weights or kernels</source>
        <translation>缓存文件属于其他权重或内核</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>the earlier run is not in the cache</source>
        <translation>此前的运行不在缓存中</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>another text</source>
        <translation>另一段文本</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>token {position:,} of {total:,}</source>
        <translation>第 {position:,} 个 token（共 {total:,} 个）</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>its first token</source>
        <translation>开头</translation>
    </message>
    <message>
        <location filename="engine/reuse.py"/>
        <source>Cancelled at {where} of the prompt.</source>
        <translation>在提示词的{where}处取消。</translation>
    </message>
    <message>
        <location filename="engine/run/act_line.py"/>
        <source>Changing the cache</source>
        <translation>更改缓存</translation>
    </message>
    <message>
        <location filename="engine/run/act_line.py"/>
        <source>Stopped before it was finished.</source>
        <translation>未完成即停止。</translation>
    </message>
    <message>
        <location filename="engine/run/act_line.py"/>
        <source>Warm: {reused:,} tokens were cached, {ran:,} were computed.</source>
        <translation>已预热：{reused:,} 个 token 已在缓存中，计算了 {ran:,} 个。</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Showing the cache</source>
        <translation>显示缓存</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Looking up what the text would reuse</source>
        <translation>查找文本可复用的内容</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Counting tokens</source>
        <translation>统计 token</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Showing the node</source>
        <translation>显示节点</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Checking the cache</source>
        <translation>检查缓存</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Clearing the cache</source>
        <translation>清空缓存</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Removing a conversation from the cache</source>
        <translation>从缓存移除对话</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Noting whose a prompt is</source>
        <translation>记录提示词的归属</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Recording a trace</source>
        <translation>记录轨迹</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Ending the trace</source>
        <translation>结束轨迹</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>The engine is closed.</source>
        <translation>引擎已关闭。</translation>
    </message>
    <message>
        <location filename="engine/run/answers.py"/>
        <source>Changing the settings</source>
        <translation>更改设置</translation>
    </message>
    <message>
        <location filename="engine/run/background.py"/>
        <source>A cache file</source>
        <translation>1 个缓存文件</translation>
    </message>
    <message>
        <location filename="engine/run/background.py"/>
        <source>{left:,} cache files</source>
        <translation>{left:,} 个缓存文件</translation>
    </message>
    <message>
        <location filename="engine/run/background.py"/>
        <source>{files} of the conversation could not be removed: close whatever else uses the cache folder, then clear the cache.</source>
        <translation>对话的 {files}无法移除：请关闭其他使用缓存文件夹的程序，然后清空缓存。</translation>
    </message>
    <message>
        <location filename="engine/run/background.py"/>
        <source>One branch</source>
        <translation>1 个分支</translation>
    </message>
    <message>
        <location filename="engine/run/background.py"/>
        <source>{unread:,} branches</source>
        <translation>{unread:,} 个分支</translation>
    </message>
    <message>
        <location filename="engine/run/background.py"/>
        <source>{branches} of the conversation could not be read by this model and may still be cached; clearing the cache removes everything.</source>
        <translation>此模型无法读取对话的 {branches}，它们可能仍在缓存中；清空缓存可全部移除。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>That node is no longer in the cache.</source>
        <translation>该节点已不在缓存中。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Pin it again</source>
        <translation>再次固定</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Unpin it</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Drop the state again</source>
        <translation>再次丢弃状态</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Copy the state back to the device</source>
        <translation>将状态复制回设备</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Compute the state again</source>
        <translation>重新计算状态</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Token {position:,} is not inside this node.</source>
        <translation>token {position:,} 不在此节点内。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>This can no longer be taken back.</source>
        <translation>这已无法撤回。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>It was pinned already.</source>
        <translation>它已经固定。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Pinned: {end:,} tokens and the state at token {end:,} stay in memory until you unpin them.</source>
        <translation>已固定：{end:,} 个 token 及 token {end:,} 处的状态会留在内存中，直到您取消固定。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Nothing was pinned here.</source>
        <translation>此处没有固定任何内容。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Unpinned: it is kept or evicted like everything else.</source>
        <translation>已取消固定：它会像其他内容一样保留或驱逐。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Evicted from every tier: {freed} freed. A chat that needs it computes it again.</source>
        <translation>已从所有层级驱逐：释放 {freed}。需要它的对话会重新计算。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Moved: the state at token {end:,} is in host memory and no longer on the device.</source>
        <translation>已移动：token {end:,} 处的状态在主机内存中，不再在设备上。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Dropped the state at token {end:,}. There is no copy: taking it back computes it again.</source>
        <translation>已丢弃 token {end:,} 处的状态。没有副本：撤回则需重新计算。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Dropped the state at token {end:,} on the device; a copy is {where}.</source>
        <translation>已丢弃设备上 token {end:,} 处的状态；{where}有副本。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>It is on the device already, as far as any tier has it.</source>
        <translation>各层级所有的内容都已在设备上。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Copied the state at token {resume:,} from {where} to the device.</source>
        <translation>已将 token {resume:,} 处的状态从{where}复制到设备。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>There is a state at token {end:,} already.</source>
        <translation>token {end:,} 处已有状态。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>The cache was cleared meanwhile; no state was stored.</source>
        <translation>期间缓存已被清空；未存储状态。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>There is no room for another state: all of them are pinned or in use. Unpin something, or give the cache more memory.</source>
        <translation>没有空间再放一个状态：全部已固定或在使用。请取消一些固定，或给缓存更多内存。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>Stored the state at token {end:,}: ran {ran:,} tokens from token {resume:,}.</source>
        <translation>已存储 token {end:,} 处的状态：从 token {resume:,} 起运行了 {ran:,} 个 token。</translation>
    </message>
    <message>
        <location filename="engine/run/by_hand.py"/>
        <source>In exact mode a state is used only where a prompt is cut, and none was cut at token {end:,}: a state there would never be used.</source>
        <translation>精确模式下只在提示词切点处使用状态，而 token {end:,} 处没有切点：此处的状态不会被使用。</translation>
    </message>
    <message>
        <location filename="engine/run/core.py"/>
        <source>That node is no longer in memory.</source>
        <translation>该节点已不在内存中。</translation>
    </message>
    <message>
        <location filename="engine/run/core.py"/>
        <source>, nor are {more} before it</source>
        <translation>，其前的 {more} 个也不再使用</translation>
    </message>
    <message>
        <location filename="engine/run/core.py"/>
        <source>The checkpoint at token {at:,} gave a wrong answer and is no longer used{also}.</source>
        <translation>token {at:,} 处的检查点给出错误回答，不再使用{also}。</translation>
    </message>
    <message>
        <location filename="engine/run/core.py"/>
        <source>Reading the tokenizer</source>
        <translation>正在读取分词器</translation>
    </message>
    <message>
        <location filename="engine/run/core.py"/>
        <source>Making room for the cache</source>
        <translation>正在为缓存腾出空间</translation>
    </message>
    <message>
        <location filename="engine/run/core.py"/>
        <source>There is not enough memory for a cache of that size: give it less (--cache-mb, --host-mb).</source>
        <translation>内存不够放这么大的缓存：请给它少一些（--cache-mb、--host-mb）。</translation>
    </message>
    <message>
        <location filename="engine/run/describe.py"/>
        <source>There is no CUDA device on this machine: use --device cpu.</source>
        <translation>这台计算机没有 CUDA 设备：请使用 --device cpu。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The whole prompt was in the cache, with the state at its end.</source>
        <translation>整个提示词及其末尾的状态都在缓存中。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The prompt extends what was cached by {new}.</source>
        <translation>提示词在已缓存内容之上增加了 {new}。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>No checkpoint is stored there, so {replay}.</source>
        <translation>那里没有检查点，因此{replay}。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>no checkpoint is stored there</source>
        <translation>那里没有检查点</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>its state had been evicted ({by}, {ago})</source>
        <translation>其状态已被驱逐（{by}，{ago}）</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>its state had been removed ({by}, {ago})</source>
        <translation>其状态已被移除（{by}，{ago}）</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The prompt was known up to token {matched:,}, but {what}, so {replay}.</source>
        <translation>提示词到 token {matched:,} 为止是已知的，但{what}，因此{replay}。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The prompt was once cached beyond token {matched:,}, but without a checkpoint, so that part could not be kept.</source>
        <translation>提示词曾缓存到 token {matched:,} 之后，但没有检查点，因此那部分无法保留。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The file that held this prompt had been deleted.</source>
        <translation>存有此提示词的文件已被删除。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>A file that held more of this prompt had been deleted; {new} ran again.</source>
        <translation>存有此提示词更多内容的文件已被删除；{new} 重新运行。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The file that held this prompt was damaged.</source>
        <translation>保存此提示词的文件已损坏。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>A file that held more of this prompt was damaged; {new} ran again.</source>
        <translation>保存此提示词更多内容的文件已损坏；{new} 再次运行。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The template or the tools changed since the files were written: at token {token:,} {filed}.</source>
        <translation>自文件写入以来，模板或工具已改变：在 token {token:,} 处，{filed}。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>Files have the first {elsewhere} of this prompt, but other weights, another number format or other kernels wrote them, so they are of no use here.</source>
        <translation>文件中有此提示词的前 {elsewhere}，但由其他权重、其他数值格式或其他内核写入，因此在此无法使用。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>Answers in this prompt were generated before, but nothing in the cache or its files begins like it.</source>
        <translation>此提示词中的回答曾在此前生成，但缓存及其文件中没有以它开头的内容。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>No part of this prompt was in the cache.</source>
        <translation>此提示词没有任何部分在缓存中。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>Only the first {matched} of this prompt were in the cache, as another prompt begins alike.</source>
        <translation>此提示词只有前 {matched} 在缓存中，因为另一提示词的开头与之相同。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>What was cached of this prompt was removed ({by}, {ago}).</source>
        <translation>此提示词已缓存的内容已被移除（{by}，{ago}）。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The prompt was once cached, but was evicted ({by}, {ago}).</source>
        <translation>提示词曾被缓存，但已被驱逐（{by}，{ago}）。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>The prompt was once cached beyond token {matched:,}, but that part was evicted ({by}, {ago}).</source>
        <translation>提示词曾缓存到 token {matched:,} 之后，但那部分已被驱逐（{by}，{ago}）。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>At token {token:,}</source>
        <translation>在 token {token:,} 处</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>At token {token:,}, in message {message}</source>
        <translation>在第 {message} 条消息的 token {token:,} 处</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{place}, the template leaves out the thinking block that the earlier prompt opened, so the answer after it is processed again.</source>
        <translation>{place}，模板略去了之前提示词中的思考块，因此重新处理其后的回答。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>the same text is cut into other tokens</source>
        <translation>同样的文本被切分为不同的 token</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>an earlier answer changed</source>
        <translation>之前的回答已改变</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{place}, {sides}.</source>
        <translation>{place}，{sides}。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{place}, {what}: {sides}.</source>
        <translation>{place}，{what}：{sides}。</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>the cache continues with {cached}, the prompt with "{prompt}"</source>
        <translation>缓存接续的是{cached}，提示词是“{prompt}”</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>"{text}"</source>
        <translation>“{text}”</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>the checkpoint at {resume:,}</source>
        <translation>位置 {resume:,} 处的检查点</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>the beginning</source>
        <translation>开头</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{replayed} ran again from {start}</source>
        <translation>从{start}起有 {replayed} 再次运行</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{seconds:.0f} s ago</source>
        <translation>{seconds:.0f} 秒前</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{minutes:.0f} min ago</source>
        <translation>{minutes:.0f} 分钟前</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{hours:.0f} h ago</source>
        <translation>{hours:.0f} 小时前</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>1 token</source>
        <translation>1 个 token</translation>
    </message>
    <message>
        <location filename="engine/run/explain.py"/>
        <source>{count:,} tokens</source>
        <translation>{count:,} 个 token</translation>
    </message>
    <message>
        <location filename="engine/run/inspect/jobs.py"/>
        <source>That token is no longer part of the conversation: choose another.</source>
        <translation>该 token 已不属于此对话：请另选。</translation>
    </message>
    <message>
        <location filename="engine/run/inspect/jobs.py"/>
        <source>The needle may have at most {most_needle} tokens: choose fewer.</source>
        <translation>“针”最多 {most_needle} 个 token：请少选一些。</translation>
    </message>
    <message>
        <location filename="engine/run/inspect/jobs.py"/>
        <source>The query comes before the needle: choose a later token to ask from.</source>
        <translation>查询在“针”之前：请选择更靠后的 token。</translation>
    </message>
    <message>
        <location filename="engine/run/inspect/private_run.py"/>
        <source>The lab reads sequences of up to {most:,} tokens of this model, and this one has {ids:,}: take a shorter conversation.</source>
        <translation>实验室对此模型最多读取 {most:,} 个 token 的序列，而此处有 {ids:,} 个：请用更短的对话。</translation>
    </message>
    <message>
        <location filename="engine/run/inspect/private_run.py"/>
        <source>{resume:,} tokens would have to run first, and the lab runs at most {most_uncached:,}: ask something in this conversation, so that it is cached, and try again.</source>
        <translation>需要先运行 {resume:,} 个 token，而实验室最多运行 {most_uncached:,} 个：请先在此对话中提问以便缓存，再重试。</translation>
    </message>
    <message>
        <location filename="engine/run/inspect/private_run.py"/>
        <source>One token shows nothing: give at least two.</source>
        <translation>一个 token 看不出什么：请至少给两个。</translation>
    </message>
    <message>
        <location filename="engine/run/memory.py"/>
        <source>This model has no full-attention layer, so the cache has no KV plane to keep: choose a hybrid model.</source>
        <translation>此模型没有全注意力层，缓存没有可保存的 KV 平面：请选择混合模型。</translation>
    </message>
    <message>
        <location filename="engine/run/memory.py"/>
        <source>A cache budget of {budget} MiB holds {kv_slots} tokens of this model: give at least {minimum} MiB (--cache-mb).</source>
        <translation>{budget} MiB 的缓存预算可容纳此模型 {kv_slots} 个 token：请至少给 {minimum} MiB (--cache-mb)。</translation>
    </message>
    <message>
        <location filename="engine/run/memory.py"/>
        <source>A host budget of {host_bytes} MiB holds no checkpoint of this model: give at least {minimum} MiB (--host-mb), or 0 for none.</source>
        <translation>{host_bytes} MiB 的主机预算放不下此模型的检查点：请至少给 {minimum} MiB (--host-mb)，或设为 0。</translation>
    </message>
    <message>
        <location filename="engine/run/planner.py"/>
        <source>The cache was neither read nor fed.</source>
        <translation>缓存既未读取也未写入。</translation>
    </message>
    <message>
        <location filename="engine/run/prepared.py"/>
        <source>The prompt is empty: give at least one token.</source>
        <translation>提示词为空：请至少给一个 token。</translation>
    </message>
    <message>
        <location filename="engine/run/prepared.py"/>
        <source>The prompt has a token id outside 0 to {last:,}.</source>
        <translation>提示词中有超出 0 至 {last:,} 的 token id。</translation>
    </message>
    <message>
        <location filename="engine/run/prepared.py"/>
        <source>A prompt of token ids is continued as it is: leave `continues` off, or give messages.</source>
        <translation>token id 形式的提示词会照原样接续：请不要设置 `continues`，或改为提供消息。</translation>
    </message>
    <message>
        <location filename="engine/run/running.py"/>
        <source>There is no room for another live state until an answer beside it ends.</source>
        <translation>要等旁边的一个回答结束，才有空间放另一个实时状态。</translation>
    </message>
    <message>
        <location filename="engine/run/running.py"/>
        <source>Another prompt begins alike: its states are used once it has stored them.</source>
        <translation>另一个提示的开头相同：等它存好状态后直接使用。</translation>
    </message>
    <message>
        <location filename="engine/run/running.py"/>
        <source>There is no room for its tokens until an answer beside it ends.</source>
        <translation>要等旁边的一个回答结束，才有空间放它的词元。</translation>
    </message>
    <message>
        <location filename="engine/run/sampler.py"/>
        <source>logit_bias names token {last}, but the model has only {vocab_size:,}.</source>
        <translation>logit_bias 指定了词元 {last}，但模型只有 {vocab_size:,} 个。</translation>
    </message>
    <message>
        <location filename="engine/run/sampler.py"/>
        <source>The model's output is not a number ({value}). Its weights may be damaged, or too large for float16: download it again, or open it with dtype float32.</source>
        <translation>模型的输出不是数字（{value}）。其权重可能已损坏，或对 float16 过大：请重新下载，或用 dtype float32 打开。</translation>
    </message>
    <message>
        <location filename="engine/run/sequence.py"/>
        <source>The prompt needs {more:,} more tokens of KV, and the cache's budget has no room for them: raise the budget or shorten the conversation.</source>
        <translation>提示词还需要 {more:,} 个 token 的 KV，而缓存预算放不下：请提高预算或缩短对话。</translation>
    </message>
    <message>
        <location filename="engine/run/store.py"/>
        <source>With these budgets there is no room for the context of {context:,} tokens that the model was opened with: open the model again with them.</source>
        <translation>按这些预算放不下打开模型时的 {context:,} 个 token 上下文：请用它们重新打开模型。</translation>
    </message>
    <message>
        <location filename="engine/run/store.py"/>
        <source>The state plane can only be turned off when the model is opened.</source>
        <translation>状态平面只能在打开模型时关闭。</translation>
    </message>
    <message>
        <location filename="engine/run/store.py"/>
        <source>There is not enough memory for planes of that size.</source>
        <translation>没有足够内存容纳这么大的平面。</translation>
    </message>
    <message>
        <location filename="engine/run/verify_line.py"/>
        <source>Verifying the checkpoint</source>
        <translation>验证检查点</translation>
    </message>
    <message>
        <location filename="engine/run/verify_line.py"/>
        <source>Verification was stopped before it finished; that checkpoint was not checked.</source>
        <translation>验证未完成即停止；该检查点未检查。</translation>
    </message>
    <message>
        <location filename="engine/run/verify_line.py"/>
        <source>Verification starts over once the answer is finished.</source>
        <translation>回答完成后会重新开始验证。</translation>
    </message>
    <message>
        <location filename="engine/sentence.py"/>
        <source>{first} {then}</source>
        <translation>{first}{then}</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source>The cache folder cannot be used ({strerror}): nothing is written to disk.</source>
        <translation>无法使用缓存文件夹（{strerror}）：不会写入磁盘。</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source>the file that it continues is gone</source>
        <translation>它所接续的文件已不存在</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source>The cache file {name} was skipped: {error}.</source>
        <translation>已跳过缓存文件 {name}：{error}。</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source>The cache file {shown} was skipped and left in place: {why}.</source>
        <translation>已跳过缓存文件 {shown}，并保留在原处：{why}。</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source> and removed</source>
        <translation>并移除</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source>The cache file {shown} was skipped{removed}: {why}.</source>
        <translation>已跳过{removed}缓存文件 {shown}：{why}。</translation>
    </message>
    <message>
        <location filename="engine/storage/disk_store.py"/>
        <source>The cache file {file_name} was removed: the file that it continues is gone.</source>
        <translation>已移除缓存文件 {file_name}：它所接续的文件已不存在。</translation>
    </message>
    <message>
        <location filename="engine/storage/write_trouble.py"/>
        <source>The cache files cannot be written ({why}): existing files stay, new data is kept in memory only, and writing will be retried.</source>
        <translation>无法写入缓存文件（{why}）：已有文件保留，新数据仅保存在内存中，稍后会重试写入。</translation>
    </message>
    <message>
        <location filename="engine/text/control_tokens.py"/>
        <source>The added tokens of tokenizer.json use more than 1,023 different characters.</source>
        <translation>tokenizer.json 的附加词元使用了超过 1,023 个不同的字符。</translation>
    </message>
    <message>
        <location filename="engine/text/control_tokens.py"/>
        <source>The model's chat template writes half of a surrogate pair.</source>
        <translation>该模型的聊天模板写出了半个代理对。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file} has no tokenizer ("{key}"): take a file that was converted with one.</source>
        <translation>{file} 中没有分词器（“{key}”）：请换用转换时带有分词器的文件。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file}: its tokenizer is of the kind "{model}"; only "gpt2" (byte-level) is read.</source>
        <translation>{file}：它的分词器类型为“{model}”；只读取“gpt2”（字节级）。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file} is damaged: "{key}" does not have one type for each of the {count} tokens.</source>
        <translation>{file} 已损坏：“{key}”没有为 {count} 个词元各给出一个类型。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file}: it divides texts as "{pre}", which Biplane does not know; it knows {known}.</source>
        <translation>{file}：它按“{pre}”切分文本，Biplane 不认识；Biplane 认识 {known}。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file} has no "{key}".</source>
        <translation>{file} 中没有“{key}”。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file}: its tokenizer cannot be used: {error}.</source>
        <translation>{file}：无法使用它的分词器：{error}。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file}: "{key}" is {value}, but there are only {count} tokens.</source>
        <translation>{file}：“{key}”为 {value}，但只有 {count} 个词元。</translation>
    </message>
    <message>
        <location filename="engine/text/gguf_text.py"/>
        <source>{file}: its chat template is larger than 16 MiB; that is not a chat template.</source>
        <translation>{file}：它的聊天模板大于 16 MiB；那不是聊天模板。</translation>
    </message>
    <message>
        <location filename="engine/text/grammar.py"/>
        <source>This model writes the end of its thinking in several tokens, so no format can follow it: turn thinking off.</source>
        <translation>该模型用多个词元写出思考的结尾，因此其后无法限定格式：请关闭思考。</translation>
    </message>
    <message>
        <location filename="engine/text/grammar.py"/>
        <source>The format cannot be compiled: {said}.</source>
        <translation>无法编译该格式：{said}。</translation>
    </message>
    <message>
        <location filename="engine/text/grammar.py"/>
        <source>The JSON schema {error}.</source>
        <translation>JSON 模式有误：{error}。</translation>
    </message>
    <message>
        <location filename="engine/text/grammar.py"/>
        <source>The answer so far is not what its JSON schema allows, so it cannot be continued: ask again, or remove the schema.</source>
        <translation>目前的回答不符合它的 JSON 模式，因此无法继续：请重新提问，或移除模式。</translation>
    </message>
    <message>
        <location filename="engine/text/grammar.py"/>
        <source>The format of the answer became too complex: {said}.</source>
        <translation>回答的格式变得过于复杂：{said}。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{folder} cannot be read: {reason}.</source>
        <translation>无法读取 {folder}：{reason}。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{folder} has no tokenizer.json; download the model's tokenizer files.</source>
        <translation>{folder} 中没有 tokenizer.json；请下载模型的分词器文件。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is larger than 256 MiB; that is not a tokenizer.</source>
        <translation>{path} 大于 256 MiB；这不是分词器。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is not a tokenizer that Biplane can read: {error}.</source>
        <translation>{path} 不是 Biplane 能读取的分词器：{error}。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is not a byte-level tokenizer; only those are supported.</source>
        <translation>{path} 不是字节级分词器；仅支持字节级。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is larger than 16 MiB; that is not a configuration.</source>
        <translation>{path} 大于 16 MiB；这不是配置文件。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is not valid JSON: {error}.</source>
        <translation>{path} 不是有效的 JSON：{error}。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} does not hold a JSON object.</source>
        <translation>{path} 中没有 JSON 对象。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is larger than 16 MiB; that is not a chat template.</source>
        <translation>{path} 大于 16 MiB；这不是聊天模板。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{path} is not UTF-8 text.</source>
        <translation>{path} 不是 UTF-8 文本。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>chat_template in {path} is neither a string nor a list with a default.</source>
        <translation>{path} 中的 chat_template 既不是字符串，也不是含默认项的列表。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>eos_token_id in {name} is not a token id or a list of them.</source>
        <translation>{name} 中的 eos_token_id 不是 token id 或其列表。</translation>
    </message>
    <message>
        <location filename="engine/text/model_files.py"/>
        <source>{file}: {said}, so {usual} is used instead.</source>
        <translation>{file}：{said}，因此改用 {usual}。</translation>
    </message>
    <message>
        <location filename="engine/text/neutral.py"/>
        <source>The conversation contains half of a surrogate pair; delete it and try again.</source>
        <translation>对话中含有半个代理对；请删除后重试。</translation>
    </message>
    <message>
        <location filename="engine/text/probes.py"/>
        <source>The model's chat template takes too long to probe.</source>
        <translation>探查该模型的聊天模板用时过长。</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>A tool or a tool call is nested too deeply.</source>
        <translation>某个工具或工具调用嵌套过深。</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>The chat template in {name} is longer than {max_template_chars:,} characters.</source>
        <translation>{name} 中的聊天模板超过 {max_template_chars:,} 个字符。</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>is not valid: {message} (line {lineno}).</source>
        <translation>无效：{message}（第 {lineno} 行）。</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>cannot be read: {error}</source>
        <translation>无法读取：{error}</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>The chat template in {name} {message}</source>
        <translation>{name} 中的聊天模板{message}</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>was stopped: {error}</source>
        <translation>已停止：{error}</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>refused: {error}</source>
        <translation>拒绝：{error}</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>was stopped: it calls itself too often.</source>
        <translation>已停止：它调用自身次数过多。</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>failed: {error}</source>
        <translation>失败：{error}</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>The model's chat template {failure}</source>
        <translation>模型的聊天模板{failure}</translation>
    </message>
    <message>
        <location filename="engine/text/template.py"/>
        <source>a message or tool holds a {kind}, which cannot be written as text</source>
        <translation>消息或工具含有 {kind}，无法写成文本</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>This model's chat template puts its control tokens together from pieces, and the conversation contains one; spell that differently and try again.</source>
        <translation>该模型的聊天模板会用片段拼出控制词元，而对话中含有这样的词元；请换一种写法后重试。</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>An answer that calls a tool cannot be continued.</source>
        <translation>调用工具的回答无法继续。</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>The last answer is empty, so there is nothing to continue: ask again instead.</source>
        <translation>上一个回答为空，没有可继续的内容：请重新提问。</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>The last answer has only its thinking, which is turned off: turn thinking on to continue, or ask again.</source>
        <translation>上一个回答只有思考内容，而思考已关闭：请开启思考以继续，或重新提问。</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>The conversation is empty; write a message first.</source>
        <translation>对话为空；请先写一条消息。</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>Only an answer can be continued, but the last message is not the assistant's.</source>
        <translation>只有回答可以继续，但最后一条消息不是助手的。</translation>
    </message>
    <message>
        <location filename="engine/text/text_model.py"/>
        <source>{folder} has no chat template, so it cannot chat; it can only continue plain text. Choose an instruction-tuned model.</source>
        <translation>{folder} 没有聊天模板，无法聊天，只能接续纯文本。请选择指令微调模型。</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>kv pressure</source>
        <translation>KV 空间不足</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>state pressure</source>
        <translation>状态空间不足</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>one-shot request</source>
        <translation>一次性请求</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>tombstone chain</source>
        <translation>墓碑链</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>uncovered tail</source>
        <translation>无检查点的尾部</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>superseded</source>
        <translation>已被取代</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>session dropped</source>
        <translation>会话已丢弃</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>dropped by user</source>
        <translation>用户清除</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>conversation deleted</source>
        <translation>对话已删除</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>quarantined above</source>
        <translation>上游已隔离</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>drifted above</source>
        <translation>上游已漂移</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>file damaged</source>
        <translation>文件损坏</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>file deleted</source>
        <translation>文件已删除</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>replaced by another process</source>
        <translation>被另一个进程替换</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>what it goes on from is gone</source>
        <translation>所接续的内容已不存在</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>could not be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>taken in</source>
        <translation>已接收</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>there already</source>
        <translation>已有副本</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>no room</source>
        <translation>空间不足</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>copy failed</source>
        <translation>复制失败</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>first sight</source>
        <translation>首次出现</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>new tokens</source>
        <translation>新 token</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>diverged</source>
        <translation>文本不同</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>template dropped thinking</source>
        <translation>模板略去思考</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>answer re-tokenised</source>
        <translation>回答重新分词</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>template rendered it differently</source>
        <translation>模板渲染不同</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>message edited</source>
        <translation>消息已编辑</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>system text changed</source>
        <translation>系统文本已改变</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>tool list changed</source>
        <translation>工具列表已改变</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>oldest turns left out</source>
        <translation>省去了最早的几轮</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>text left out of the middle</source>
        <translation>省去了中间的文本</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>another chat with part of the system text</source>
        <translation>系统文本部分相同的另一对话</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>another chat with the same beginning</source>
        <translation>开头相同的另一对话</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>no checkpoint on the path</source>
        <translation>路径上没有检查点</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>checkpoint evicted</source>
        <translation>检查点已驱逐</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>checkpoint not usable in exact mode</source>
        <translation>检查点在精确模式下不可用</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>checkpoint compressed, not usable in exact mode</source>
        <translation>检查点已压缩，在精确模式下不可用</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>checkpoint quarantined</source>
        <translation>检查点已隔离</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>checkpoint on a damaged file</source>
        <translation>检查点在损坏的文件上</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>cache file deleted</source>
        <translation>缓存文件已被删除</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>files of other weights or kernels</source>
        <translation>其他权重或内核的文件</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>earlier run not in the cache</source>
        <translation>此前的运行不在缓存中</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>cache not used</source>
        <translation>未使用缓存</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>the engine does not say</source>
        <translation>引擎未说明</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>everything reused</source>
        <translation>全部复用</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>nearly everything reused</source>
        <translation>几乎全部复用</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>no room for the prompt</source>
        <translation>放不下提示词</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>new text</source>
        <translation>新文本</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>another chat</source>
        <translation>另一对话</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>thinking left out</source>
        <translation>略去思考</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>date changed</source>
        <translation>日期已改变</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>tools changed</source>
        <translation>工具已改变</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>rendered differently</source>
        <translation>渲染不同</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>text differs</source>
        <translation>文本不同</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>budget too small</source>
        <translation>预算太小</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>host memory full</source>
        <translation>主机内存已满</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>disk budget full</source>
        <translation>磁盘预算已满</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>file not written</source>
        <translation>文件未能写入</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>no free state slot</source>
        <translation>没有空闲状态槽位</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>interval too wide</source>
        <translation>间隔太大</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>damaged file</source>
        <translation>文件损坏</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>not exact</source>
        <translation>不精确</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>removed on request</source>
        <translation>按要求移除</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>from before the recording</source>
        <translation>早于记录</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>drop state</source>
        <translation>丢弃状态</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>evict</source>
        <translation>驱逐</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>move to host</source>
        <translation>移到主机</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>by user</source>
        <translation>用户操作</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>PyTorch's operators</source>
        <translation>PyTorch 的算子</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>Triton and FLA</source>
        <translation>Triton 和 FLA</translation>
    </message>
    <message>
        <location filename="engine"/>
        <source>AVX-512 with BF16</source>
        <translation>AVX-512 BF16</translation>
    </message>
</context>
</TS>
