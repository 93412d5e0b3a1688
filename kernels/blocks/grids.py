"""The grids of the IQ2 and IQ3 types: which runs of magnitudes a file's indices stand for.

A grid's entries ascend, read as numbers whose lowest digit is the first magnitude; it is kept as
the steps between them, 16 bits each, deflated.

Source: the tables of ggml's quantised types, which are data of the format.
"""

from __future__ import annotations

import base64
import zlib
from functools import cache

import numpy as np
import torch
from torch import Tensor

# Magnitudes to an entry, bits of a digit, and the steps.
_GRIDS = {
    "IQ2_XXS": (
        8,
        2,
        "c-l>o%_~G<6vlt=9q$<5%`|34k?SKV7I(u;lA4l4*+^L^!%A!<ikg~|KVnKTNhv9mg%S%=w)R%GQp&<c@!UIC>2}"
        "Y#=bYy}=Q-zsLqv~5t!$%wRBt-?j!`Gyt~f@9#UN)HV4Nf?%DNON89y5jaZ%yA0$h@XFz%yAd~vol!Belxg0Uf{E"
        "u1+_kx}kR@NTPoox=47^VWjt9`#~67W<9yW2<VGGE*Fo;w@0&k*B1}K9`(ZU-bwbVsbc<y_Ww8aVbuP?P1Vtn+%&"
        "=nA_I>8^>tYyy_<FQj%A{mBtowsw5}}8Vb_Cqv!?WRCz5o%!{Lo2c}uKK3`0G7i5c!vCO+PIJ(6bvz(c@^3&>n;@"
        "kTD{n}_wy^~aQqXr>2xO48({w`Um*wxMYdFI3X{R@{06U?xsy33JqOq2Pv{%zY?Qg)R`U96jKnv54Y<TX0O5PO=R"
        "adI_R`~ssbK5z",
    ),
    "IQ2_XS": (
        8,
        2,
        "c-noE!An$O6vcnv8=k#nm>L<!j4_`kgAv8U!9{H(6H+7>fsG^TI4-n^Bnq5}S>(QT5JHG8T86tI2v@CI)SuwmUCV"
        "Ic`M!BmGsBDw@6EmU-Fxo2=U(tg=;v|4y%YMcM+V#ci+XZRwy!UhwwyXjb5@eTAtiay5*=}GpPTejHRpHolrz#5B"
        "h4_o&dPFC->0dWW;V7<E@m=LD6FFMBJL?tRU}|r(TaaQi==V}y0VDKDEcgB8wqvav}akxGQ!-AD~{w%^3_<+<F>p"
        "B-YBcW2}>0H)+ri&LZ`a50*2UQlr_y&awvmhc%-?~Jm87EcPyJg2wC+hNSz<be9aX$=ux!V-+khC?K;owi$R$>{{"
        "h?EwBE;mZJs;JPQT2i6uK+#&@@mkk>aCR7u*bcocf(ED2kP{SL5-W86g!-;|4-?3&keTgaIF<z#Yma!!4oDsWPvc"
        "`=;hM7^N8Fx^7|2<e6pLWclm3lv(wj@{MB_EUW%b7Z3@{;uZhxJFT9d)qh?7HQA+js|j%pxuH9o(cWJ1i1)_sZPL"
        "}}wY!{IQ+|p*N-?*rZlR{VPV+~KRE^J+Q{gvTs`<iYZ;?;@WS)KL)Z_Ns%MORic_@8tY?R0D1{e8d3cS>GHfohw;"
        "jQcgJzLWC49CYy3j",
    ),
    "IQ2_S": (
        8,
        2,
        "c-oy+&ubGw6#k}V8Z!(H9=dj8Nc>SnDurM{s)z><Lhx3Qv{G30AQf%NMGB>t2>u7sTh9e=dh;OUPxH&nY%;UEv&O"
        "Q_%+A|4-@Ny|9}6sDna>g$W?trMC23*bbo(3LUPJO3R%mt#ryA6=nA+?$$3cLkh&<PQXpj|Fk%@Xcik5eR8=Kxez"
        "NU<L*a>WUSFk9T-!}6|lzo(*7e1;)3yEP$&*Z%Tv4s(?^L-U7)VPlU4rP_+?Gm$oyi~2%@yPmqA8|<Ijdr$A*R80"
        "}|HouZ!*N<-xsOc@MHtgw>Eu}jR*ENhZx9mvkg-_Vc(iDZ;^W6iyL)tCpTfF{P@B6Qu3hYlV#Y1zSwf7l^D)Jx@O"
        "gfUTh5Yi_`(}sV1t+^YaxqyY}+-ppi3FijMPhA?DDMDCLaRk#Z~ick*rWIMxzQw`?!Y#VRJQhej|D|!6)}Nk#!YS"
        "Unf_~>6BiL#iFOHtRK%ZXd=qr75hh?Srgv&8F#TSZGQ;6(!Y61$&=;l6??IaSkfnQmz8>q?>G`u$!l!mkdk$gAzP"
        "ax+s@J{bwcfRo@z$69Ct%gyN#LTXNk$)!aORR%px)gDsUGW*JsSJKX}Zu4_J|z^zGBpXwOj;F5OKZ@J7_<;U2$ac"
        "u5{FL>}Fb^mah`b1{<nAMu*2iCw;()4mI?wkPeG*><EU;s7^U^(l75Z_&jme&G?mQX}D5!CTzHUl`O*2m",
    ),
    "IQ3_XXS": (
        4,
        3,
        "c-l>nT~C8R5JfK_-_RlyslnFP+N2s2qdxnlzBT^;f8&`cA%^TOJ9FmFos~kqn02LqJyot-zg?m!f03W1DrFO$dc>"
        "$gi58rRSC=}d(+a}q(BqvNeP|$Rnmu$gYhO;Q3$*r##a`!pss|K8YI4=om1rDvVsFu{bSAU=r(|Ap-MeNqDU3c@="
        "C_N>n!U!4&Gy3Dqq62+z<#@%L3i_vJ#0L?C^<*(R+DM8#K|Xn2a(`tq<c%|#9BcwU@Ll@xh?72KwWDKbtG$@dvcM"
        "hzteZXX#zDs*ld}ew3+74i2mZ($i^!+5L=WUsrf<es5d%W-d-TUNdsT#8DFt(@NE6|MD2}Qed!PKX%Cq",
    ),
    "IQ3_S": (
        4,
        3,
        "c-mD{Yfr;440PH&+9q9Bw!y|g0u5<`?-T$3pK-o8(@>SfcKkSBToH$_myV~y*-`cqB|z%UqH==P-~Bwj)Z(cnnXw"
        "1NIa(a=dirR#mT87GK=-sH)`*OlnWvXbO|6mpA`|q&+hD#6q|6K(S)nE7Za#`+|A4b~ReR7F%|8-r?NOr=t0mq??"
        "33~04avmSSg80MBUeb-SejX-a&macxyY5>>HYc6Xn{?mhkq!$J1S=!ReiR%(iM%{x@(OiwTZbC@q1#fY<l$Dsz!8"
        "}v5&AP-km4~ShPmQKG1uTH*)ETJHzs7csfS3+2~m>GOA-HMY|=2dQ;!<L~erhHu6+71LsYrXypsf%$<o~g0{o=Ve"
        "DqP*qhY;6F#jJtajv-MB-L-fjk7ffbvx67wnZTIG>Qw0a+o^Pe>~wkDM@N>BL-$veqm1Z&aQ~;8G?hR-NSqr$en7"
        "XR*mCxGnO9wL{b|JK5lDGkXC3EpolfGtfl#ty~tOzQK3F>Vaer-?Mxp=0-H5Wzb5RA;Yu7o3(#V`8;tlHppH7>ZA"
        "O?_X9|;@&~>@55W",
    ),
}


@cache
def grid(name: str) -> Tensor | None:
    """The digits of each entry of the grid of type `name`, [entries, magnitudes] uint8."""
    if name not in _GRIDS:
        return None
    magnitudes, bits, text = _GRIDS[name]
    steps = np.frombuffer(zlib.decompress(base64.b85decode(text)), "<u2")
    entries = torch.from_numpy(steps.astype(np.int64)).cumsum(0)
    places = bits * torch.arange(magnitudes)
    return (entries.unsqueeze(1) >> places & (1 << bits) - 1).to(torch.uint8)
